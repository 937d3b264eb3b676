// German texts for having several addresses and opening them elsewhere; part of de.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Bezeichnung',
  'switcher.search': 'Adressen durchsuchen',
  'switcher.none': 'Keine Adressen gefunden.',
  'keep.saveFile': { one: '{n} Adresse sichern', other: '{n} Adressen sichern' },

  'push.choice': 'Auch wenn diese Seite geschlossen ist',
  'push.hint':
    'Der Push-Dienst deines Browsers erfährt, wann Post kommt, aber nicht, von wem und was darin steht.',
  'push.failed': 'Der Push-Dienst dieses Browsers war nicht zu erreichen. Versuche es später noch einmal.',
};
