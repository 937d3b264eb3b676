// German texts for having several addresses and opening them elsewhere; part of de.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Bezeichnung',
  'label.title': 'Adresse bezeichnen',
  'label.field': 'Bezeichnung',
  'label.hint': 'Nur du siehst sie. Sie bleibt in diesem Browser.',
  'label.save': 'Speichern',
  'switcher.search': 'Adressen durchsuchen',
  'switcher.none': 'Keine Adressen gefunden.',
  'keep.title': 'Adressen wiederherstellen oder sichern',
  'keep.token': 'Token oder Link',
  'keep.tokenHint': 'Füge das Token einer Adresse oder einen Link zu ihrem Postfach ein.',
  'keep.tokenWrong': 'Das ist weder ein Token noch ein Link zu einem Postfach.',
  'keep.tokenOver': 'Diese Adresse ist abgelaufen oder es gab sie nie.',
  'keep.open': 'Öffnen',
  'keep.opened': '{email} ist geöffnet.',
  'keep.known': '{email} ist hier schon geöffnet.',
  'keep.full': 'Dieser Browser speichert höchstens {most} Adressen. Beende oder entferne zuerst eine.',
  'keep.load': 'Aus einer Datei wiederherstellen',
  'keep.loadHint': 'Öffne nur eine Datei, die du selbst gesichert hast.',
  'keep.chooseFile': 'Datei auswählen …',
  'keep.file.foreign': 'Diese Datei enthält keine gesicherten Adressen.',
  'keep.file.newer':
    'Diese Datei stammt von einer neueren Version dieser Seite. Lade die Seite neu und versuche es noch einmal.',
  'keep.file.large': 'Diese Datei ist zu groß, um gesicherte Adressen zu enthalten.',
  'keep.file.many': 'Diese Datei enthält mehr als {most} Adressen. Mehr kann dieser Browser nicht speichern.',
  'keep.summary': '{taken} von {total} wiederhergestellt',
  'keep.entry': 'Eintrag {place}',
  'keep.result.taken': 'Wiederhergestellt',
  'keep.result.known': 'Schon geöffnet',
  'keep.result.over': 'Abgelaufen',
  'keep.result.wrong': 'Keine Adresse',
  'keep.result.full': 'Kein Platz mehr',
  'keep.result.failed': 'Keine Antwort. Versuche es noch einmal',
  'keep.save': 'In eine Datei sichern',
  'keep.warning':
    'Die Datei enthält die Schlüssel zu diesen Postfächern. Wer sie hat, kann alle Nachrichten lesen und löschen.',
  'keep.saveFile': { one: '{n} Adresse sichern', other: '{n} Adressen sichern' },

  'push.choice': 'Auch wenn diese Seite geschlossen ist',
  'push.hint':
    'Der Push-Dienst deines Browsers erfährt, wann Post kommt, aber nicht, von wem und was darin steht.',
  'push.failed': 'Der Push-Dienst dieses Browsers war nicht zu erreichen. Versuche es später noch einmal.',
};
