// Arabic texts for having several addresses and opening them elsewhere; part of ar.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'تسمية',
  'switcher.search': 'البحث في العناوين',
  'switcher.none': 'لم يُعثر على عناوين.',
  'keep.saveFile': {
    zero: 'حفظ {n} عنوان',
    one: 'حفظ عنوان واحد',
    two: 'حفظ عنوانين',
    few: 'حفظ {n} عناوين',
    many: 'حفظ {n} عنوانًا',
    other: 'حفظ {n} عنوان',
  },

  'push.choice': 'حتى عندما تكون هذه الصفحة مغلقة',
  'push.hint': 'تعرف خدمة الإشعارات في متصفحك متى يصل البريد، لا مرسله ولا مضمونه.',
  'push.failed': 'تعذّر الوصول إلى خدمة الإشعارات في هذا المتصفح. حاول لاحقًا.',
};
