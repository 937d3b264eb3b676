// Resend's API for sending.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import { isRefusal } from '../compose.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import { readBearerKey, type Sender, type SentItem } from '../sender.ts';

/** Names and, in Resend's words, messages of errors by their status. */
const errors: ErrorWords<readonly [name: string, message: string]> = {
  400: ['validation_error', 'The request is not valid.'],
  401: ['invalid_api_key', 'API key is invalid'],
  403: ['restricted_api_key', 'This API key is restricted.'],
  404: ['not_found', 'The requested endpoint does not exist.'],
  405: ['method_not_allowed', 'Method is not allowed for the requested path.'],
  409: [
    'concurrent_idempotent_requests',
    'Same idempotency key used while original request is still in progress.',
  ],
  413: ['validation_error', 'The request body is too large.'],
  422: ['validation_error', 'The request is not valid.'],
  429: [
    'rate_limit_exceeded',
    'Too many requests. You can only make 2 requests per second. See rate limit response headers for more information.',
  ],
  500: ['application_error', 'An unexpected error occurred.'],
  503: ['application_error', 'The service is not available at the moment.'],
};

function toRefusal(status: number, message?: string): Refusal {
  const [code, usual] = wordsOf(errors, status);
  return { status, code, message: message ?? usual };
}

/** https://resend.com/docs/dashboard/emails/idempotency-keys */
const once = {
  lifetimeMs: 24 * 3_600_000,
  otherPayload: {
    status: 409,
    code: 'invalid_idempotent_request',
    message: 'Same idempotency key used with a different request payload.',
  },
} as const;

function isMessage(item: SentItem): item is Exclude<SentItem, Refusal> {
  return !isRefusal(item);
}

const idOf = ({ id }: Exclude<SentItem, Refusal>): { id: string } => ({ id });

export const resend: Sender = {
  name: 'resend',
  owns: (path) => path === '/emails' || path.startsWith('/emails/'),
  keyPrefix: /^re_/,
  readKey: readBearerKey,
  toRefusal,
  toErrorAnswer: ({ status, code, message }) => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 429 ? { 'ratelimit-remaining': '0' } : {}),
    },
    body: stringifyWellFormed({ statusCode: status, message, name: code }),
  }),
  calls: [
    {
      endpoint: 'POST /emails',
      summary: 'one mail; no attachment by `path`',
      bodyMaxBytes: 40 * 1024 * 1024,
      reader: 'resend-email',
      once,
      takes: ['idempotency-key'],
      toAnswer: ({ items }) => ({ body: stringifyWellFormed(items.filter(isMessage).map(idOf)[0]) }),
    },
    {
      endpoint: 'POST /emails/batch',
      summary: 'up to 100 mails, with `x-batch-validation`',
      bodyMaxBytes: 40 * 1024 * 1024,
      reader: 'resend-batch',
      once,
      takes: ['idempotency-key', 'x-batch-validation'],
      toAnswer: ({ items, notes }) => {
        const data = items.filter(isMessage).map(idOf);
        const failures = items.flatMap((item, index) =>
          isRefusal(item) ? [{ index, message: item.message }] : [],
        );
        const isPermissive = notes['validation'] === 'permissive';
        return { body: stringifyWellFormed({ data, ...(isPermissive ? { errors: failures } : {}) }) };
      },
    },
  ],
};
