// Hindi texts for having several addresses and opening them elsewhere; part of hi.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'लेबल',
  'switcher.search': 'पते खोजें',
  'switcher.none': 'कोई पता नहीं मिला।',
  'keep.saveFile': { one: '{n} पता सहेजें', other: '{n} पते सहेजें' },

  'push.choice': 'यह पेज बंद होने पर भी',
  'push.hint': 'आपके ब्राउज़र की पुश सेवा को पता चलता है कि मेल कब आई, पर यह नहीं कि किससे और क्या लिखा है।',
  'push.failed': 'इस ब्राउज़र की पुश सेवा तक नहीं पहुँचा जा सका। बाद में फिर कोशिश करें।',
};
