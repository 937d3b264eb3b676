// French texts for having several addresses and opening them elsewhere; part of fr.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Étiquette',
  'switcher.search': 'Rechercher une adresse',
  'switcher.none': 'Aucune adresse trouvée.',
  'keep.saveFile': {
    one: 'Enregistrer {n} adresse',
    many: 'Enregistrer {n} d’adresses',
    other: 'Enregistrer {n} adresses',
  },

  'push.failed': 'Le service push de ce navigateur est injoignable. Réessayez plus tard.',
};
