// The texts that go with a number.

import type { Plural } from '../../src/i18n/plural.ts';

export const forms = {
  'overview.green': {
    one: 'All is well: {n} check is green.',
    other: 'All is well: all {n} checks are green.',
  },
  'overview.deadWebhooks': { one: '{n} webhook failed for good.', other: '{n} webhooks failed for good.' },
  'sessions.live': { one: '{n} live session', other: '{n} live sessions' },
  'gmail.unmatched': {
    one: '{n} message matched no session',
    other: '{n} messages matched no session',
  },
  'webhooks.due': { one: '{n} webhook is sent again.', other: '{n} webhooks are sent again.' },
  'settings.count': { one: '{n} setting', other: '{n} settings' },
} as const satisfies Record<string, Plural>;
