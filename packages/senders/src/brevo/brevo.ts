// Brevo's API for transactional mail, v3.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import { isRefusal } from '../compose.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import type { Sender } from '../sender.ts';

/** Codes and, in Brevo's words, messages of errors by their status. */
const errors: ErrorWords<readonly [code: string, message: string]> = {
  400: ['invalid_parameter', 'The request is not valid'],
  401: ['unauthorized', 'Key not found'],
  402: ['not_enough_credits', 'You do not have enough credits'],
  403: ['permission_denied', 'You do not have the permission'],
  404: ['document_not_found', 'The document does not exist'],
  405: ['method_not_allowed', 'The method is not allowed'],
  413: ['bad_request', 'The request is too large'],
  429: ['too_many_requests', 'Too many requests have been sent, try again later'],
  500: ['internal_error', 'Internal Server Error'],
};

function toRefusal(status: number, message?: string): Refusal {
  const [code, usual] = wordsOf(errors, status);
  return { status, code, message: message ?? usual };
}

const repeated: Refusal = {
  status: 400,
  code: 'duplicate_parameter',
  message: 'The idempotencyKey has been used already',
};

export const brevo: Sender = {
  name: 'brevo',
  owns: (path) => path.startsWith('/v3/smtp/'),
  keyPrefix: /^xkeysib-/,
  readKey: (headers) => headers['api-key']?.toString().trim(),
  toRefusal,
  toErrorAnswer: ({ status, code, message }) => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 429 ? { 'x-sib-ratelimit-remaining': '0', 'x-sib-ratelimit-reset': '1' } : {}),
    },
    body: stringifyWellFormed({ code, message }),
  }),
  calls: [
    {
      endpoint: 'POST /v3/smtp/email',
      summary: 'one mail, or one for each of `messageVersions`; no attachment by `url`',
      bodyMaxBytes: 20 * 1024 * 1024,
      reader: 'brevo',
      // https://developers.brevo.com/docs/heterogenous-versions-batch-emails
      once: { lifetimeMs: 30 * 60_000, otherPayload: repeated, repeat: repeated },
      toAnswer: ({ items, notes }) => {
        const ids = items.flatMap((item) => (isRefusal(item) ? [] : [`<${item.id}>`]));
        const batch = notes['batchId'] ? { batchId: notes['batchId'] } : {};
        const view = notes['kind'] === 'versions' ? { messageIds: ids } : { messageId: ids[0] };
        return { status: Number(notes['status']), body: stringifyWellFormed({ ...view, ...batch }) };
      },
    },
  ],
};
