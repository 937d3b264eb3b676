// French texts for finding messages and acting on several of them; part of fr.ts.

import type { ListMessages } from '../messages.ts';

export const list: ListMessages = {
  'search.label': 'Rechercher dans les messages',
  'search.none': 'Aucun message trouvé.',
  'search.recipient': 'Destinataire',
  'search.allRecipients': 'Tous les destinataires',
  'search.tag': 'Étiquette',
  'search.allTags': 'Tout',
  'search.searching': 'Recherche dans le texte des messages…',
  'search.partial':
    'La recherche n’a pas pu porter sur le texte des messages, seulement sur les expéditeurs, objets et codes.',
  'preview.show': 'Aperçu de {name}',
  'preview.document': 'Aperçu',
  'preview.broken': 'Cette image ne peut pas être affichée. Téléchargez-la.',
  'choose.start': 'Sélectionner des messages',
  'choose.stop': 'Quitter la sélection',
  'choose.label': 'Messages sélectionnés',
  'choose.all': 'Tout sélectionner',
  'choose.count': { one: '{n} sélectionné', many: '{n} sélectionnés', other: '{n} sélectionnés' },
  'choose.markRead': 'Marquer comme lu',
  'choose.markUnread': 'Marquer comme non lu',
  'choose.delete': 'Supprimer la sélection',
  'choose.deleteAll': 'Supprimer tous les messages',
  'choose.deleted': {
    one: '{n} message supprimé',
    many: '{n} de messages supprimés',
    other: '{n} messages supprimés',
  },
  'choose.restored': {
    one: '{n} message restauré',
    many: '{n} de messages restaurés',
    other: '{n} messages restaurés',
  },
  'choose.markedRead': {
    one: '{n} message marqué comme lu',
    many: '{n} de messages marqués comme lus',
    other: '{n} messages marqués comme lus',
  },
  'choose.markedUnread': {
    one: '{n} message marqué comme non lu',
    many: '{n} de messages marqués comme non lus',
    other: '{n} messages marqués comme non lus',
  },
  'dev.name': 'Tous les e-mails',
  'dev.title': 'Tous les e-mails envoyés à',
  'dev.copy': 'Copier le serveur SMTP',
  'dev.copied': 'Serveur SMTP copié',
  'dev.step.point': 'Configurez votre application sur {smtp}, sans chiffrement ni mot de passe',
  'dev.step.send': 'Envoyez à n’importe quelle adresse',
  'dev.step.appears': 'Le message apparaît ici',
};
