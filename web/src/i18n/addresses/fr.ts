// French texts for having several addresses and opening them elsewhere; part of fr.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Étiquette',
  'label.title': 'Donner une étiquette à cette adresse',
  'label.field': 'Étiquette',
  'label.hint': 'Vous seul la voyez. Elle reste dans ce navigateur.',
  'label.save': 'Enregistrer',
  'switcher.search': 'Rechercher une adresse',
  'switcher.none': 'Aucune adresse trouvée.',
  'keep.title': 'Restaurer ou enregistrer des adresses',
  'keep.token': 'Jeton ou lien',
  'keep.tokenHint': 'Collez le jeton d’une adresse ou un lien vers sa boîte.',
  'keep.tokenWrong': 'Ce n’est ni un jeton ni un lien vers une boîte.',
  'keep.tokenOver': 'Cette adresse a expiré ou n’a jamais existé.',
  'keep.open': 'Ouvrir',
  'keep.opened': '{email} est ouverte.',
  'keep.known': '{email} est déjà ouverte ici.',
  'keep.full': 'Ce navigateur garde au plus {most} adresses. Supprimez-en ou retirez-en une d’abord.',
  'keep.load': 'Restaurer depuis un fichier',
  'keep.loadHint': 'N’ouvrez qu’un fichier enregistré par vous-même.',
  'keep.chooseFile': 'Choisir un fichier…',
  'keep.file.foreign': 'Ce fichier ne contient pas d’adresses enregistrées.',
  'keep.file.newer': 'Ce fichier vient d’une version plus récente de cette page. Rechargez-la et réessayez.',
  'keep.file.large': 'Ce fichier est trop volumineux pour des adresses enregistrées.',
  'keep.file.many': 'Ce fichier contient plus de {most} adresses, le maximum de ce navigateur.',
  'keep.summary': '{taken} sur {total} restaurées',
  'keep.entry': 'Entrée {place}',
  'keep.result.taken': 'Restaurée',
  'keep.result.known': 'Déjà ouverte',
  'keep.result.over': 'Expirée',
  'keep.result.wrong': 'Pas une adresse',
  'keep.result.full': 'Plus de place',
  'keep.result.failed': 'Pas de réponse. Réessayez',
  'keep.save': 'Enregistrer dans un fichier',
  'keep.warning':
    'Ce fichier contient les clés de ces boîtes. Toute personne qui l’a peut lire et supprimer leurs messages.',
  'keep.saveFile': {
    one: 'Enregistrer {n} adresse',
    many: 'Enregistrer {n} d’adresses',
    other: 'Enregistrer {n} adresses',
  },

  'push.choice': 'Même quand cette page est fermée',
  'push.hint':
    'Le service push de votre navigateur sait quand un message arrive, mais ni de qui ni ce qu’il contient.',
  'push.failed': 'Le service push de ce navigateur est injoignable. Réessayez plus tard.',
};
