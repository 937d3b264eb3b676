// The texts of the page in English, and thereby the keys and placeholders of every language. A text with `{name}` takes
// a value; one with plural forms takes a number, `{n}`. Keys: area.thing, areas as the folders of the views.

import type { Plural } from './messages.ts';

export const en = {
  'app.name': 'Mayfly',
  'app.tagline': 'A temporary address, ready at once',
  'app.messages': { one: '{n} message', other: '{n} messages' },
} as const satisfies Record<string, string | Plural>;
