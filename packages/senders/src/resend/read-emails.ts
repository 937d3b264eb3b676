// Reads the bodies of Resend's POST /emails and POST /emails/batch (https://resend.com/docs/api-reference/emails). Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import type { OnceKey, ReadCall, ReadMessage } from '../compose.ts';
import type { HeaderField, MessageContent, SentFile } from '../composing/message.ts';
import { type Refusal, RefusedError } from '../refusal.ts';
import { toReadMessage } from '../reading/draft.ts';
import {
  decodeBase64,
  headerFault,
  parseAddressList,
  parseOneAddress,
  toFile,
} from '../reading/mail-parts.ts';
import { type Kind, Members, parseCall, type Path, type Wording } from '../reading/members.ts';
import { type Shown, templateText } from '../reading/shown-fields.ts';
import { onceId, toOnceKey } from '../reading/once-key.ts';

const recipientsMax = 50;
const batchMax = 100;
/** Files may be arrays of numbers: as many as the largest body has room for. */
const limits = { commas: 20_000_000 };

const kinds: Readonly<Record<string, Kind>> = { scheduled_at: 'string', topic_id: 'string' };

const wording: Wording = ({ path, rule, wanted }) => {
  const place = pathText(path) || 'body';
  if (rule === 'missing') return refuse('missing_required_field', `Missing \`${place}\` field.`);
  return refuse('validation_error', `Invalid \`${place}\` field. It must be ${wanted}.`);
};

function pathText(path: Path): string {
  return path
    .map((one, at) => (typeof one === 'number' ? `[${one}]` : `${at === 0 ? '' : '.'}${one}`))
    .join('');
}

function refuse(name: string, message: string): RefusedError {
  return new RefusedError({ status: 422, code: name, message });
}

export const readResendEmail: ReadCall = (sent) => {
  const { body, given } = sent;
  const once = readKey(given, body);
  const email = new Members(parseCall(sent, limits), [], wording);
  return { items: [readEmail(email, given, idOf(once, given, 0))], once };
};

export const readResendBatch: ReadCall = (sent) => {
  const { body, given } = sent;
  const emails = parseCall(sent, limits);
  if (!Array.isArray(emails)) throw refuse('validation_error', 'The body must be an array of emails.');
  if (emails.length === 0 || emails.length > batchMax) {
    throw refuse('validation_error', `The batch must have from 1 to ${batchMax} emails.`);
  }
  const validation = given['x-batch-validation'] ?? '';
  if (!/^(?:strict|permissive)?$/.test(validation)) {
    throw refuse('validation_error', 'The `x-batch-validation` header must be `strict` or `permissive`.');
  }
  const isPermissive = validation === 'permissive';
  const once = readKey(given, body);
  const items = emails.map((email: unknown, place) => {
    try {
      return readOfBatch(email, given, idOf(once, given, place));
    } catch (error) {
      if (!isPermissive || !(error instanceof RefusedError)) throw error;
      return error.refusal satisfies Refusal;
    }
  });
  return { items, notes: { validation }, once };
};

type Given = Readonly<Record<string, string>>;

function readKey(given: Given, body: Uint8Array): OnceKey | undefined {
  const key = given['idempotency-key'] ?? '';
  if (key.length > 256) {
    throw new RefusedError({
      status: 400,
      code: 'invalid_idempotency_key',
      message: 'The idempotency key must be between 1-256 characters.',
    });
  }
  return toOnceKey(key, body);
}

function idOf(once: OnceKey | undefined, given: Given, place: number): string {
  return once ? onceId(once, given['inbox'] ?? '', place) : randomUUID();
}

function readOfBatch(email: unknown, given: Given, id: string): ReadMessage {
  const members = new Members(email, [], wording);
  for (const name of ['attachments', 'scheduled_at']) {
    if (members.has(name)) {
      throw refuse('validation_error', `The \`${name}\` field is not supported in batches.`);
    }
  }
  return readEmail(members, given, id);
}

function readEmail(email: Members, given: Given, id: string): ReadMessage {
  const from = readFrom(email);
  const [to = [], cc = [], bcc = [], replyTo = []] = ['to', 'cc', 'bcc', 'reply_to'].map((name) =>
    readRecipients(email, name),
  );
  if (to.length === 0) throw email.wrong('to', 'an address', 'missing');
  const template = email.object('template');
  const subject = email.text('subject');
  if (!subject && !template) throw email.wrong('subject', 'a string', 'missing');
  const { content, shown } = readContent(email, template);
  const key = given['idempotency-key'] ?? '';
  return toReadMessage(
    {
      service: 'resend',
      id,
      from,
      to,
      cc,
      bcc,
      replyTo,
      subject: subject ?? '',
      fields: readHeaders(email),
      shown: [
        ...readTags(email),
        ...shown,
        ...(key === '' ? [] : [['idempotency_key', key] as const]),
        ...email.rest(kinds),
      ],
      content,
    },
    (reason) => refuse('validation_error', reason),
  );
}

function readFrom(email: Members): Mailbox {
  const from = parseOneAddress(email.requiredText('from'));
  if (from) return from;
  throw refuse(
    'invalid_from_address',
    'Invalid `from` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.',
  );
}

/** Takes one address or a list of them. */
function readRecipients(email: Members, name: string): readonly Mailbox[] {
  const value = email.take(name);
  if (value === undefined) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > recipientsMax) throw email.wrong(name, `at most ${recipientsMax} addresses`);
  const mailboxes = list.map((one) =>
    typeof one === 'string' ? parseAddressList(one, recipientsMax) : undefined,
  );
  const valid = mailboxes.flatMap((one) => one ?? []);
  if (mailboxes.includes(undefined) || valid.length > recipientsMax) {
    throw refuse(
      'validation_error',
      `Invalid \`${name}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`,
    );
  }
  return valid;
}

function readContent(
  email: Members,
  template: Members | undefined,
): { readonly content: MessageContent; readonly shown: Shown } {
  const [html, text] = [email.text('html', { isLong: true }), email.text('text', { isLong: true })];
  const files = email.objects('attachments', 1000, readFile);
  if (!template) {
    if (html === undefined && text === undefined) {
      throw refuse('missing_required_field', 'Missing `html` or `text` field.');
    }
    return { content: { text, html, alternatives: [], files }, shown: [] };
  }
  if (html !== undefined || text !== undefined) {
    throw refuse('validation_error', 'A `template` excludes `html` and `text`.');
  }
  const id = template.requiredText('id');
  const variables = template.take('variables');
  const shown: Shown = [
    ['template_id', id],
    ...template.rest().map(([name, one]) => [`template_${name}`, one] as const),
  ];
  return { content: { text: templateText(id, variables), html: undefined, alternatives: [], files }, shown };
}

function readHeaders(email: Members): readonly HeaderField[] {
  const fields = email.texts('headers');
  for (const [name, value] of fields) {
    if (headerFault(name, value) !== undefined) {
      throw refuse(
        'validation_error',
        `Invalid \`headers\` field. \`${printable(name)}\` cannot be set to this value.`,
      );
    }
  }
  return fields;
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, '?');
}

function readTags(email: Members): Shown {
  const tags = email.objects('tags', 75, (tag) => {
    const [name, value] = [tag.requiredText('name', { max: 256 }), tag.text('value', { max: 256 }) ?? ''];
    if (/^[\w-]+$/.test(name) && /^[\w-]*$/.test(value)) return { name, value };
    throw refuse(
      'validation_error',
      'Tags should only contain ASCII letters, numbers, underscores, or dashes.',
    );
  });
  return tags.length === 0 ? [] : [['tags', tags]];
}

function readFile(file: Members): SentFile {
  if (file.has('path')) {
    throw refuse('invalid_attachment', 'Attachments by `path` are not fetched here; send `content`.');
  }
  const content = readBytes(file.take('content'));
  if (!content) throw refuse('invalid_attachment', 'Attachment must have either a `content` or `path`.');
  const read = toFile({
    content,
    filename: file.text('filename') ?? '',
    contentType: file.text('content_type'),
    contentId: file.text('content_id') ?? file.text('inline_content_id'),
  });
  if (!read) throw refuse('invalid_attachment', 'The attachment has an invalid name, type or content id.');
  return read;
}

/** Base64, an array of bytes, which clients for Go and Python send, or the JSON of a Node.js Buffer. */
function readBytes(value: unknown): Buffer | undefined {
  if (typeof value === 'string') return decodeBase64(value);
  const data = Array.isArray(value) ? (value as unknown[]) : dataOfBuffer(value);
  const isByte = (one: unknown): boolean =>
    typeof one === 'number' && one >= 0 && one < 256 && Number.isInteger(one);
  return data?.every(isByte) ? Buffer.from(data as number[]) : undefined;
}

function dataOfBuffer(value: unknown): unknown[] | undefined {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? data : undefined;
}
