// Hindi texts for having several addresses and opening them elsewhere; part of hi.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'लेबल',
  'switcher.search': 'पते खोजें',
  'switcher.none': 'कोई पता नहीं मिला।',
  'keep.saveFile': { one: '{n} पता सहेजें', other: '{n} पते सहेजें' },

  'push.failed': 'इस ब्राउज़र की पुश सेवा तक नहीं पहुँचा जा सका। बाद में फिर कोशिश करें।',
};
