// Shows a session's webhook to its holder, with its JSON schema.

import { type Static, Type } from '#http-parts/json-schema';

import { formatTimestamp } from '#values/timestamp';
import type { SessionWebhook } from '../../service/addresses/session-webhooks.ts';
import { count, orNull, text, timestamp } from './schemas.ts';

export const webhookSchema = Type.Object({
  state: Type.Enum(['pending', 'active', 'failing', 'disabled'], {
    description:
      '`pending`: it has not answered its challenge yet. `failing`: the last attempt failed; there will be ' +
      'more. `disabled`: nothing more is sent.',
  }),
  last_error_code: orNull(
    text(
      'Why the last attempt failed: `answered_` and the HTTP status, `did_not_echo_the_challenge`, `too_slow`, ' +
        '`timed_out`, `connection_failed`, `not_resolved`, `address_refused`, `answer_too_large`, `bad_url` or ' +
        '`not_sent`; `unreadable` where the operator replaced the key that sealed it. More may come. Null before the first attempt and when the last one succeeded.',
    ),
  ),
  queued: count('Events waiting to be sent, including a challenge.'),
  next_attempt_at: orNull(
    timestamp('The earliest time of the next delivery, UTC; null when nothing is waiting.'),
  ),
});

export function toWebhook({
  standing,
  lastError,
  queued,
  nextTryAt,
}: SessionWebhook): Static<typeof webhookSchema> {
  return {
    state: standing,
    last_error_code: lastError,
    queued,
    next_attempt_at: nextTryAt === null ? null : formatTimestamp(nextTryAt),
  };
}
