// SendGrid's Mail Send API v3.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import { readBearerKey, type Sender } from '../sender.ts';

/** In SendGrid's words. */
const messages: ErrorWords<string> = {
  400: 'bad request',
  401: 'The provided authorization grant is invalid, expired, or revoked',
  403: 'access forbidden',
  404: 'Not Found',
  405: 'method not allowed',
  413: 'The JSON payload you have included in your request is too large.',
  415: 'Content-Type should be application/json.',
  429: 'too many requests',
  500: 'internal server error',
  503: 'service unavailable',
};

function toRefusal(status: number, message?: string): Refusal {
  return {
    status,
    code: '',
    message: message ?? wordsOf(messages, status),
  };
}

export const sendgrid: Sender = {
  name: 'sendgrid',
  owns: (path) => path.startsWith('/v3/mail/'),
  keyPrefix: /^SG\./,
  readKey: readBearerKey,
  toRefusal,
  toErrorAnswer: ({ status, message, field = null }) => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 429 ? { 'x-ratelimit-remaining': '0' } : {}),
    },
    body: stringifyWellFormed({ errors: [{ message, field, help: null }] }),
  }),
  calls: [
    {
      endpoint: 'POST /v3/mail/send',
      summary: 'one mail for each personalization; `X-Message-Id` is in its header',
      bodyMaxBytes: 30 * 1024 * 1024,
      reader: 'sendgrid',
      toAnswer: ({ notes }) => ({
        status: Number(notes['status']),
        headers: { 'content-type': 'text/plain; charset=utf-8', 'x-message-id': notes['id'] ?? '' },
        body: '',
      }),
    },
  ],
};
