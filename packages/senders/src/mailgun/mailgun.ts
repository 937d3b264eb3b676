// Mailgun's API for sending, v3.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import type { Answer } from '../../../http-parts/src/answer.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import type { Headers, Sender, SentCall } from '../sender.ts';

/** In Mailgun's words. */
const messages: ErrorWords<string> = {
  400: 'Bad Request',
  401: 'Invalid private key',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Too many requests. Please retry later.',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function toRefusal(status: number, message?: string): Refusal {
  return { status, code: '', message: message ?? wordsOf(messages, status) };
}

const toAnswer = ({ notes }: SentCall): Answer => ({
  body: stringifyWellFormed({ id: `<${notes['id'] ?? ''}>`, message: 'Queued. Thank you.' }),
});

/** 25 MB and what forms add to them. */
const bodyMaxBytes = 26 * 1024 * 1024;

/** The password of Basic credentials of the user `api`. */
function readKey({ authorization }: Headers): string | undefined {
  const encoded =
    /^basic[ \t]+([A-Za-z0-9+/]+={0,2})[ \t]*$/i.exec(authorization?.toString() ?? '')?.[1] ?? '';
  return /^api:(.+)$/.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

export const mailgun: Sender = {
  name: 'mailgun',
  owns: (path) => /^\/v3\/[^/]+\/messages/.test(path),
  keyPrefix: /^key-/,
  readKey,
  toRefusal,
  toErrorAnswer: ({ status, message }) => ({
    status,
    headers: {
      'content-type': 'application/json',
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="MG API"' } : {}),
    },
    body: stringifyWellFormed({ message }),
  }),
  calls: [
    {
      endpoint: 'POST /v3/:domain/messages',
      summary: 'one mail, or with `recipient-variables` one for each recipient',
      reader: 'mailgun-message',
      bodyMaxBytes,
      toAnswer,
    },
    {
      endpoint: 'POST /v3/:domain/messages.mime',
      summary: 'a complete message; its `Bcc` is taken out',
      reader: 'mailgun-mime',
      bodyMaxBytes,
      toAnswer,
    },
  ],
};
