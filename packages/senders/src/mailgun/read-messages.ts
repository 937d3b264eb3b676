// Reads the forms of Mailgun's POST /v3/{domain}/messages and …/messages.mime
// (https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages). With recipient-variables each
// recipient gets a mail of their own. Pure.

import { randomUUID } from 'node:crypto';

import type { Mailbox } from '@mayfly/mail-reader';
import { parseDomainName } from '../../../mail-receiver/src/address.ts';
import type { FormPart } from '../../../http-parts/src/multipart.ts';
import type { ReadCall, ReadItem } from '../compose.ts';
import type { HeaderField, MessageContent, SentFile } from '../composing/message.ts';
import { RefusedError } from '../refusal.ts';
import { toReadMessage } from '../reading/draft.ts';
import { Form } from '../reading/form.ts';
import { headerFault, parseAddressList, parseOneAddress, toFile } from '../reading/mail-parts.ts';
import { readRawMail } from '../reading/raw-message.ts';
import { type Shown, templateText, toShownFields } from '../reading/shown-fields.ts';

const recipientsMax = 1000;
const messageMaxBytes = 25 * 1024 * 1024;
/** For all options, headers and variables. */
const optionsMaxBytes = 16 * 1024;

/** The options that are switches. */
const switches =
  /^o:(?:dkim|testmode|tracking(?:-clicks|-opens)?|require-tls|skip-verification|tracking-pixel-location-top)$/;
const tracking = /^o:tracking(?:-clicks)?$/;

function refuse(message: string, status = 400): RefusedError {
  return new RefusedError({ status, code: '', message });
}

export const readMailgunMessage: ReadCall = ({ body, contentType, given }) => {
  const domain = readDomain(given);
  const form = new Form(body, contentType);
  const from = readFrom(form);
  const [to = [], cc = [], bcc = []] = ['to', 'cc', 'bcc'].map((name) => readRecipients(form, name));
  if (to.length === 0) throw refuse("'to' parameter is missing");
  if (to.length + cc.length + bcc.length > recipientsMax) {
    throw refuse(`There may be at most ${recipientsMax} recipients.`);
  }
  const subject = readLine(form, 'subject') ?? '';
  const variables = readVariables(form);
  const { fields, shown: options } = readOptions(form);
  const { content, shown } = readContent(form);
  const common = { from, subject, fields, content, service: 'mailgun', replyTo: [] };
  const rest = [...options, ...shown, ...readRest(form)];
  const id = newId(domain);
  if (!variables) {
    const draft = { ...common, id, to, cc, bcc, shown: rest };
    return { items: [toReadMessage(draft, refuse)], notes: { id } };
  }
  const items = to.map((recipient, at) => {
    const own: Shown = [['recipient_variables', variables[recipient.email] ?? {}]];
    const messageId = at === 0 ? id : newId(domain);
    return toReadMessage(
      { ...common, id: messageId, to: [recipient], cc, bcc, shown: [...own, ...rest] },
      refuse,
    );
  });
  return { items, notes: { id } };
};

export const readMailgunMime: ReadCall = ({ body, contentType, given }) => {
  const domain = readDomain(given);
  const form = new Form(body, contentType);
  const to = readRecipients(form, 'to');
  if (to.length === 0) throw refuse("'to' parameter is missing");
  if (to.length > recipientsMax) throw refuse(`There may be at most ${recipientsMax} recipients.`);
  const [message] = form.files('message');
  if (!message || message.bytes.length === 0) throw refuse("'message' parameter is missing");
  requireModest(message.bytes.length);
  const { raw, from, messageId } = readRawMail(message.bytes);
  if (!from) throw refuse('The message has no valid address in From.');
  const { fields, shown } = readOptions(form);
  const id = newId(domain);
  const item: ReadItem = {
    id,
    raw,
    messageId: messageId ?? id,
    mailFrom: from.email,
    rcptTo: to.map(({ email }) => email),
    fields: [
      ...toShownFields('mailgun', [['message_id', id], ...shown, ...readRest(form)]),
      ...fields,
      ...(messageId === undefined ? [['Message-ID', `<${id}>`] as const] : []),
    ],
  };
  return { items: [item], notes: { id } };
};

function newId(domain: string): string {
  return `${randomUUID()}@${domain}`;
}

function readDomain(given: Readonly<Record<string, string>>): string {
  const domain = parseDomainName(given['domain'] ?? '');
  if (domain === undefined) throw refuse('Domain not found', 404);
  return domain;
}

function readFrom(form: Form): Mailbox {
  const text = form.text('from') ?? '';
  if (text === '') throw refuse("'from' parameter is missing");
  const from = parseOneAddress(text);
  if (!from) throw refuse("'from' parameter is not a valid address. please check documentation");
  return from;
}

function readRecipients(form: Form, name: string): readonly Mailbox[] {
  const texts = form.texts(name).filter((text) => text.trim() !== '');
  return texts.flatMap((text) => {
    const mailboxes = parseAddressList(text, recipientsMax);
    if (mailboxes) return mailboxes;
    throw refuse(`'${name}' parameter is not a valid address. please check documentation`);
  });
}

function readLine(form: Form, name: string): string | undefined {
  const text = form.text(name);
  if (text !== undefined && headerFault('x', text)) {
    throw refuse(`'${name}' must be one line without control characters`);
  }
  return text;
}

/** By address; undefined without any. */
function readVariables(form: Form): Readonly<Record<string, unknown>> | undefined {
  const text = form.text('recipient-variables');
  return text === undefined || text === '' ? undefined : parseObject(text, 'recipient-variables');
}

function parseObject(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refuse(`'${name}' parameter is not a valid JSON object`);
}

/** `h:` are header fields, `v:` variables of the caller, `o:` options of delivery. */
function readOptions(form: Form): { readonly fields: readonly HeaderField[]; readonly shown: Shown } {
  const fields: HeaderField[] = [];
  const options: (readonly [string, unknown])[] = [];
  const variables: Record<string, string> = Object.create(null) as Record<string, string>;
  let length = 0;
  for (const name of form.names().filter((one) => /^[hov]:./.test(one))) {
    const [kind, own] = [name.charAt(0), name.slice(2)];
    const texts = form.texts(name);
    length += texts.reduce((sum, text) => sum + name.length + text.length, 0);
    if (kind === 'h') fields.push(...texts.map((text) => readHeader(own, text)));
    else if (kind === 'v') variables[own] = texts[0] ?? '';
    else options.push([name, readOption(name, texts)]);
  }
  if (length > optionsMaxBytes) throw refuse('The options, headers and variables have more than 16 KB.');
  const hasVariables = Object.keys(variables).length > 0;
  return { fields, shown: hasVariables ? [['variables', variables], ...options] : options };
}

function readHeader(name: string, value: string): HeaderField {
  const fault = headerFault(name, value);
  if (fault === undefined) return [name, value];
  throw refuse(`'h:${name.slice(0, 100).replace(/[^\x20-\x7e]/g, '?')}' cannot be set to this value`);
}

function readOption(name: string, texts: readonly string[]): unknown {
  const [text = ''] = texts;
  if (switches.test(name) && !/^(?:yes|no|true|false|1|0)$/i.test(text)) {
    if (!tracking.test(name)) throw refuse(`'${name}' parameter must be yes or no`);
    if (text !== 'htmlonly') throw refuse(`'${name}' parameter must be yes, no or htmlonly`);
  }
  if (name === 'o:deliverytime' && Number.isNaN(Date.parse(text)) && !/^\d{1,12}$/.test(text)) {
    throw refuse("'o:deliverytime' parameter is not a valid date");
  }
  if (
    name === 'o:tag' &&
    (texts.length > 10 || texts.some((tag) => tag.length > 128 || /[^\x20-\x7e]/.test(tag)))
  ) {
    throw refuse("'o:tag' may be given 10 times, with at most 128 ASCII characters");
  }
  return texts.length > 1 ? texts : text;
}

function readContent(form: Form): { readonly content: MessageContent; readonly shown: Shown } {
  const [text, html, amp] = [form.text('text'), form.text('html'), form.text('amp-html')];
  const template = readLine(form, 'template');
  const files = [
    ...form.files('attachment').map((part) => readFile(part, 'attachment')),
    ...form.files('inline').map((part) => readFile(part, 'inline')),
  ];
  const alternatives = amp === undefined ? [] : [{ contentType: 'text/x-amp-html', text: amp }];
  requireModest(
    files.reduce((sum, { content }) => sum + content.length, (text ?? '').length + (html ?? '').length),
  );
  if (template === undefined) {
    if (!text && !html && !amp) throw refuse("Need at least one of 'text' or 'html' parameters specified");
    return { content: { text, html, alternatives, files }, shown: [] };
  }
  const given = form.text('t:variables');
  const data = given === undefined || given === '' ? undefined : parseObject(given, 't:variables');
  const version = readLine(form, 't:version');
  const shown: Shown = [
    ['template', template],
    ...(version === undefined ? [] : [['t:version', version] as const]),
  ];
  const hasBody = Boolean(text) || Boolean(html);
  return {
    content: { text: hasBody ? text : templateText(template, data), html, alternatives, files },
    shown: hasBody && data ? [...shown, ['t:variables', data]] : shown,
  };
}

function readFile(part: FormPart, kind: 'attachment' | 'inline'): SentFile {
  const { filename, contentType, bytes } = part;
  if (filename === undefined) throw refuse(`'${kind}' parameter must be a file; addresses are not fetched`);
  const contentId = kind === 'inline' ? filename.replace(/[^\x21-\x7e]|[<>]/g, '_') : '';
  const read = toFile({ content: bytes, filename, contentType, contentId, disposition: kind });
  if (!read) throw refuse(`'${kind}' parameter has an invalid name or type`);
  return read;
}

function requireModest(bytes: number): void {
  if (bytes > messageMaxBytes) throw refuse('The message has more than 25 MB.', 413);
}

/** Parameters that Mailgun adds later are shown too. */
function readRest(form: Form): Shown {
  return form.names().map((name) => {
    const texts = form.texts(name);
    return [name, texts.length > 1 ? texts : texts[0]] as const;
  });
}
