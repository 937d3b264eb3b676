// Amazon SES's APIs for sending: version 2, in JSON, and version 1, forms answered in XML.

import { randomUUID } from 'node:crypto';

import { stringifyWellFormed } from '../../../http-parts/src/answer.ts';
import type { Answer } from '../../../http-parts/src/answer.ts';
import { isRefusal } from '../compose.ts';
import { type ErrorWords, type Refusal, wordsOf } from '../refusal.ts';
import type { ErrorAnswer, Headers, Sender, SentCall, SentItem } from '../sender.ts';

/** Codes and, in the words of SES, messages of errors by their status. */
const errors: ErrorWords<readonly [code: string, message: string]> = {
  400: ['BadRequestException', 'The request is not valid.'],
  401: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  403: ['AccessDeniedException', 'You are not authorized to perform this operation.'],
  404: ['NotFoundException', 'The resource does not exist.'],
  405: ['BadRequestException', 'The method is not allowed.'],
  413: ['BadRequestException', 'The request is too large.'],
  429: ['TooManyRequestsException', 'Too many requests have been made to the operation.'],
  500: ['InternalServiceErrorException', 'An internal error occurred.'],
  503: ['ServiceUnavailable', 'The service is not available at the moment.'],
};

/** The codes of version 1 for those of version 2. */
const oldCodes: Readonly<Record<string, string>> = {
  BadRequestException: 'InvalidParameterValue',
  UnrecognizedClientException: 'InvalidClientTokenId',
  AccessDeniedException: 'AccessDenied',
  NotFoundException: 'TemplateDoesNotExist',
  TooManyRequestsException: 'Throttling',
  InternalServiceErrorException: 'InternalFailure',
};

function toRefusal(status: number, message?: string): Refusal {
  const [code, usual] = wordsOf(errors, status);
  // AWS answers with 403 to a key that it does not know.
  return { status: status === 401 ? 403 : status, code, message: message ?? usual };
}

const namespace = 'http://ses.amazonaws.com/doc/2010-12-01/';
const xmlHeaders = { 'content-type': 'text/xml' };

/** Version 1 has no status 429. */
function toXmlError({ status, code, message }: Refusal): ErrorAnswer {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const old = oldCodes[code] ?? String(code);
  const body =
    `<ErrorResponse xmlns="${namespace}"><Error><Type>${type}</Type><Code>${escapeXml(old)}</Code>` +
    `<Message>${escapeXml(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
  return { status: status === 429 ? 400 : status, headers: xmlHeaders, body };
}

function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function toQueryAnswer({ items, notes }: SentCall): Answer {
  const action = notes['action'] ?? '';
  const result = action === 'SendBulkTemplatedEmail' ? bulkStatus(items) : items.map(idElement).join('');
  const body =
    `<${action}Response xmlns="${namespace}"><${action}Result>${result}</${action}Result>` +
    `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`;
  return { headers: xmlHeaders, body };
}

function idElement(item: SentItem): string {
  return isRefusal(item) ? '' : `<MessageId>${item.id}</MessageId>`;
}

function bulkStatus(items: readonly SentItem[]): string {
  const members = items.map((item) =>
    isRefusal(item)
      ? `<member><Status>MessageRejected</Status><Error>${escapeXml(item.message)}</Error></member>`
      : `<member><Status>Success</Status>${idElement(item)}</member>`,
  );
  return `<Status>${members.join('')}</Status>`;
}

function toBulkAnswer({ items }: SentCall): Answer {
  const results = items.map((item) =>
    isRefusal(item)
      ? { Status: 'MESSAGE_REJECTED', Error: item.message }
      : { Status: 'SUCCESS', MessageId: item.id },
  );
  return { headers: jsonHeaders, body: stringifyWellFormed({ BulkEmailEntryResults: results }) };
}

const jsonHeaders = { 'content-type': 'application/json' };
const bodyMaxBytes = 40 * 1024 * 1024;

/** The access key of a request signed with AWS's Signature Version 4. Without the secret nothing more can be checked. */
function readKey({ authorization }: Headers): string | undefined {
  const text = authorization?.toString() ?? '';
  if (!text.startsWith('AWS4-')) return undefined;
  const credential = text.split(/[,\s]/).find((part) => part.startsWith('Credential='));
  const [key = '', scope] = credential?.slice('Credential='.length).split('/') ?? [];
  return key === '' || scope === undefined ? undefined : key;
}

export const ses: Sender = {
  name: 'ses',
  owns: (path) => path.startsWith('/v2/email/'),
  keyPrefix: /^AKIA/,
  readKey,
  toRefusal,
  toErrorAnswer: (refusal, path) =>
    path.startsWith('/v2/')
      ? {
          status: refusal.status,
          headers: { ...jsonHeaders, 'x-amzn-errortype': String(refusal.code) },
          body: stringifyWellFormed({ message: refusal.message }),
        }
      : toXmlError(refusal),
  calls: [
    {
      endpoint: 'POST /v2/email/outbound-emails',
      summary: 'SendEmail: simple, raw or from a template',
      reader: 'ses-email',
      bodyMaxBytes,
      toAnswer: ({ items: [item] }) => ({
        headers: jsonHeaders,
        body: stringifyWellFormed({ MessageId: item && !isRefusal(item) ? item.id : undefined }),
      }),
    },
    {
      endpoint: 'POST /v2/email/outbound-bulk-emails',
      summary: 'SendBulkEmail: up to 50 mails, each with its own result',
      reader: 'ses-bulk',
      bodyMaxBytes,
      toAnswer: toBulkAnswer,
    },
    {
      endpoint: 'POST /',
      summary: 'version 1: SendEmail, SendRawEmail, SendTemplatedEmail and SendBulkTemplatedEmail',
      reader: 'ses-query',
      bodyMaxBytes,
      toAnswer: toQueryAnswer,
    },
  ],
};
