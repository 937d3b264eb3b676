// How a session's webhook is shown to its holder, with its JSON schema.

import { type Static, Type } from '../json-schema.ts';

import { formatTimestamp } from '../../domain/timestamp.ts';
import type { SessionWebhook } from '../../service/session-webhooks.ts';
import { count, orNull, text, timestamp } from './schemas.ts';

export const webhookSchema = Type.Object({
  state: Type.Enum(['pending', 'active', 'failing', 'disabled'], {
    description:
      '`pending`: it has not answered its challenge yet. `failing`: the last attempt failed; there will be ' +
      'more. `disabled`: it is sent nothing any more.',
  }),
  last_error_code: orNull(
    text(
      'Why the last attempt failed: `answered_` and the HTTP status, `did_not_echo_the_challenge`, `too_slow`, ' +
        '`timed_out`, `connection_failed`, `not_resolved`, `address_refused`, `answer_too_large`, `bad_url` or ' +
        '`not_sent`. More may come. Null before the first attempt and when the last one succeeded.',
    ),
  ),
  queued: count('Events that wait to be sent, a challenge included.'),
  next_attempt_at: orNull(
    timestamp('When something is sent next at the earliest, UTC; null when nothing waits.'),
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
