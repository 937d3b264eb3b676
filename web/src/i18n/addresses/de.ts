// German texts for having several addresses and opening them elsewhere; part of de.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Bezeichnung',
  'switcher.search': 'Adressen durchsuchen',
  'switcher.none': 'Keine Adressen gefunden.',
  'keep.saveFile': { one: '{n} Adresse sichern', other: '{n} Adressen sichern' },

  'push.failed': 'Der Push-Dienst dieses Browsers war nicht zu erreichen. Versuche es später noch einmal.',
};
