// Texts for having several addresses and opening them elsewhere; part of en.ts.

import type { Plural } from '../plural.ts';

export const addresses = {
  'label.open': 'Label',
  'switcher.search': 'Search addresses',
  'switcher.none': 'No addresses found.',
  'keep.saveFile': { one: 'Save {n} address', other: 'Save {n} addresses' },

  'push.failed': 'This browser’s push service couldn’t be reached. Try again later.',
} as const satisfies Record<string, string | Plural>;
