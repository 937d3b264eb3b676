// Russian texts for having several addresses and opening them elsewhere; part of ru.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Метка',
  'switcher.search': 'Поиск адресов',
  'switcher.none': 'Ничего не найдено.',
  'keep.saveFile': {
    one: 'Сохранить {n} адрес',
    few: 'Сохранить {n} адреса',
    many: 'Сохранить {n} адресов',
    other: 'Сохранить {n} адреса',
  },

  'push.failed': 'Push-служба этого браузера недоступна. Попробуйте позже.',
};
