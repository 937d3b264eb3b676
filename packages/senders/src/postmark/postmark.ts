// Postmark's API for sending.

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import type { Answer } from '../../../http-parts/src/answer.ts';
import { isRefusal } from '../compose.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import type { Sender, SentCall, SentItem } from '../sender.ts';

/** Postmark's numbers and words for errors by their status. */
const errors: ErrorWords<readonly [code: number, message: string]> = {
  400: [300, 'Invalid email request'],
  401: [10, 'Request does not contain a valid Server token.'],
  404: [404, 'Not found.'],
  405: [405, 'Method not allowed.'],
  413: [413, 'Request Entity Too Large'],
  415: [409, 'Your HTTP request does not have the Accept and Content-Type headers set to application/json.'],
  429: [429, 'Rate limit exceeded.'],
  500: [500, 'Internal Server Error'],
  503: [100, 'Postmark is offline for maintenance.'],
};

function toRefusal(status: number, message?: string): Refusal {
  const [code, usual] = wordsOf(errors, status);
  // Postmark answers with 422 what is wrong with a request.
  return { status: status === 400 ? 422 : status, code, message: message ?? usual };
}

function toResult(item: SentItem): object {
  if (isRefusal(item)) return { ErrorCode: item.code, Message: item.message };
  return {
    ...item.facts,
    SubmittedAt: new Date().toISOString().replace('Z', '0000Z'),
    MessageID: item.id,
    ErrorCode: 0,
    Message: 'OK',
  };
}

const single = ({ items: [item] }: SentCall): Answer => ({
  body: stringifyWellFormed(item && toResult(item)),
});
const batch = ({ items }: SentCall): Answer => ({ body: stringifyWellFormed(items.map(toResult)) });

const ofOne = { bodyMaxBytes: 10 * 1024 * 1024, toAnswer: single };
const ofBatch = { bodyMaxBytes: 50 * 1024 * 1024, toAnswer: batch };

export const postmark: Sender = {
  name: 'postmark',
  owns: (path) => path === '/email' || path.startsWith('/email/'),
  keyPrefix: /^(?!)/,
  readKey: (headers) => headers['x-postmark-server-token']?.toString().trim(),
  toRefusal,
  toErrorAnswer: ({ status, code, message }) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: stringifyWellFormed({ ErrorCode: code, Message: message }),
  }),
  calls: [
    { endpoint: 'POST /email', summary: 'one mail', reader: 'postmark-email', ...ofOne },
    {
      endpoint: 'POST /email/batch',
      summary: 'up to 500 mails, each with its own result',
      reader: 'postmark-batch',
      ...ofBatch,
    },
    {
      endpoint: 'POST /email/withTemplate',
      summary: 'one mail; the template’s name and model are its text',
      reader: 'postmark-template',
      ...ofOne,
    },
    {
      endpoint: 'POST /email/batchWithTemplates',
      summary: 'up to 500 mails by template, each with its own result',
      reader: 'postmark-templates',
      ...ofBatch,
    },
  ],
};
