// German: the texts of having several addresses and reaching them elsewhere; part of de.ts.

import type { AddressMessages } from '../messages.ts';

export const addresses: AddressMessages = {
  'label.open': 'Benennen',
  'label.title': 'Diese Adresse benennen',
  'label.field': 'Bezeichnung',
  'label.hint': 'Nur du siehst sie. Sie bleibt in diesem Browser.',
  'label.save': 'Speichern',
  'switcher.search': 'Adressen durchsuchen',
  'switcher.none': 'Keine Adresse passt.',
  'keep.title': 'Adressen öffnen oder sichern',
  'keep.token': 'Token oder Link',
  'keep.tokenHint': 'Füge das Token einer Adresse oder einen Link zu ihrem Postfach ein.',
  'keep.tokenWrong': 'Das ist weder ein Token noch ein Link zu einem Postfach.',
  'keep.tokenOver': 'Diese Adresse ist abgelaufen oder es gab sie nie.',
  'keep.open': 'Öffnen',
  'keep.opened': '{email} ist geöffnet.',
  'keep.known': '{email} ist hier schon geöffnet.',
  'keep.full': 'Dieser Browser bewahrt höchstens {most} Adressen auf. Beende zuerst eine.',
  'keep.load': 'Aus einer Datei öffnen',
  'keep.loadHint': 'Öffne nur eine Datei, die du selbst gesichert hast.',
  'keep.chooseFile': 'Datei auswählen …',
  'keep.file.foreign': 'In dieser Datei sind keine gesicherten Adressen.',
  'keep.file.newer':
    'Diese Datei stammt von einer neueren Version dieser Seite. Lade die Seite neu und versuche es noch einmal.',
  'keep.file.large': 'Diese Datei ist zu groß für gesicherte Adressen.',
  'keep.file.many':
    'In dieser Datei sind mehr als {most} Adressen; so viele bewahrt dieser Browser nicht auf.',
  'keep.summary': '{taken} von {total} geöffnet',
  'keep.entry': 'Eintrag {place}',
  'keep.result.taken': 'Geöffnet',
  'keep.result.known': 'Schon offen',
  'keep.result.over': 'Abgelaufen',
  'keep.result.wrong': 'Keine Adresse',
  'keep.result.full': 'Kein Platz mehr',
  'keep.result.failed': 'Keine Antwort; versuche es noch einmal',
  'keep.save': 'In eine Datei sichern',
  'keep.warning':
    'Die Datei enthält die Schlüssel zu diesen Postfächern. Wer sie hat, kann ihre Post lesen und löschen.',
  'keep.saveFile': { one: '{n} Adresse sichern', other: '{n} Adressen sichern' },

  'push.choice': 'Auch wenn diese Seite geschlossen ist',
  'push.hint':
    'Der Push-Dienst deines Browsers erfährt, wann Post kommt, aber nicht, von wem und was darin steht.',
  'push.failed': 'Der Push-Dienst dieses Browsers war nicht zu erreichen. Versuche es später noch einmal.',
};
