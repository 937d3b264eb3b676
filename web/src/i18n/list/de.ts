// German texts for finding messages and acting on several of them; part of de.ts.

import type { ListMessages } from '../messages.ts';

export const list: ListMessages = {
  'search.label': 'Nachrichten durchsuchen',
  'search.none': 'Keine Nachrichten gefunden.',
  'search.recipient': 'Empfänger',
  'search.allRecipients': 'Alle Empfänger',
  'search.tag': 'Tag',
  'search.allTags': 'Alle',
  'search.searching': 'Die Nachrichtentexte werden durchsucht …',
  'search.partial': 'Die Nachrichtentexte konnten nicht durchsucht werden, nur Absender, Betreff und Codes.',
  'preview.show': '{name} ansehen',
  'preview.document': 'Vorschau',
  'preview.broken': 'Dieses Bild lässt sich nicht anzeigen. Du kannst es herunterladen.',
  'choose.start': 'Nachrichten auswählen',
  'choose.stop': 'Auswahl beenden',
  'choose.label': 'Ausgewählte Nachrichten',
  'choose.all': 'Alle auswählen',
  'choose.count': { one: '{n} ausgewählt', other: '{n} ausgewählt' },
  'choose.markRead': 'Als gelesen markieren',
  'choose.markUnread': 'Als ungelesen markieren',
  'choose.delete': 'Auswahl löschen',
  'choose.deleteAll': 'Alle Nachrichten löschen',
  'choose.deleted': { one: '{n} Nachricht gelöscht', other: '{n} Nachrichten gelöscht' },
  'choose.restored': { one: '{n} Nachricht ist wieder da', other: '{n} Nachrichten sind wieder da' },
  'choose.markedRead': {
    one: '{n} Nachricht als gelesen markiert',
    other: '{n} Nachrichten als gelesen markiert',
  },
  'choose.markedUnread': {
    one: '{n} Nachricht als ungelesen markiert',
    other: '{n} Nachrichten als ungelesen markiert',
  },
  'dev.name': 'Alle E-Mails',
  'dev.title': 'Alle E-Mails an',
  'dev.copy': 'SMTP-Server kopieren',
  'dev.copied': 'SMTP-Server kopiert',
  'dev.step.point': '{smtp} in deiner App eintragen, ohne Verschlüsselung und Passwort',
  'dev.step.send': 'An eine beliebige Adresse senden',
  'dev.step.appears': 'Die Nachricht erscheint hier',
};
