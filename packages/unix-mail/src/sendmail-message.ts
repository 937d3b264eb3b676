// Makes a message to be sent of what a program wrote to sendmail. Bytes are handled as Latin-1 text, so that every
// byte of the body stays as it is. Pure but for the id of a message that has none.

import { randomUUID } from 'node:crypto';

import type { SendmailCall } from './sendmail-arguments.ts';
import { SendmailError, sysexits } from './sysexits.ts';

export interface Submission {
  /** '' for the null sender. */
  readonly sender: string;
  /** Each once. */
  readonly recipients: readonly string[];
  readonly message: Buffer;
}

export interface SubmissionParts {
  readonly input: Buffer;
  readonly call: Pick<SendmailCall, 'sender' | 'fullName' | 'readsHeader' | 'endsAtDot' | 'recipients'>;
  /** The name of the user who runs the program. */
  readonly user: string;
  /** Follows names without a domain. */
  readonly domain: string;
  readonly now: Date;
  /** Returns the addresses of a list as in a header field, in Latin-1, folded or not. */
  readonly parseAddresses: (list: string) => readonly string[];
}

interface Field {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
  /** As it stands, with its line end. */
  readonly text: string;
}

/** Those that name recipients; only the fields for resending do where there are any (RFC 5322 §3.6.6). */
const recipientFields: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);
const resent = 'resent-';
const addressFields = /^(?:resent-)?(?:from|sender|reply-to|to|cc|bcc)$/i;
/** As Postfix does. */
const removed: ReadonlySet<string> = new Set(['bcc', 'resent-bcc', 'return-path', 'content-length']);

/** @throws SendmailError usage without recipients, data for an address that is none */
export function toSubmission(parts: SubmissionParts): Submission {
  const { call, user, domain } = parts;
  const text = toCrLf(cutInput(parts.input.toString('latin1'), call.endsAtDot));
  const { fields, body } = splitMessage(text, domain);
  const recipients = [...call.recipients.map(toLatin1), ...(call.readsHeader ? listRecipients(fields) : [])]
    .flatMap(parts.parseAddresses)
    .map((address) => withDomain(address, domain));
  if (recipients.length === 0) {
    throw new SendmailError(
      sysexits.usage,
      call.readsHeader
        ? 'No recipient addresses were found in the header.'
        : 'Recipient addresses must be given as arguments, or in the header with -t.',
    );
  }
  const sender = call.sender === '' ? '' : withDomain(call.sender ?? user, domain);
  for (const address of [...recipients, sender]) {
    if (/[\s<>\x00-\x1f]/.test(address)) throw new SendmailError(sysexits.data, 'An address is not valid.');
  }
  const kept = fields.filter(({ name }) => !removed.has(name)).map((field) => field.text);
  const header = [...kept, ...missingFields(parts, fields, sender)].join('');
  return {
    sender,
    recipients: [...new Set(recipients)],
    message: Buffer.from(`${header}\r\n${body}`, 'latin1'),
  };
}

/** UTF-8 as header fields have it. */
function toLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Cuts the separator of an mbox file at the beginning, and what follows a line with only a dot. */
function cutInput(text: string, endsAtDot: boolean): string {
  const from = /^>?From [^\n]*\n/.exec(text)?.[0].length ?? 0;
  const dot = endsAtDot ? /(?:^|\n)\.\r*(?:\n|$)/.exec(text) : null;
  if (!dot) return text.slice(from);
  return text.slice(from, dot[0].startsWith('\n') ? dot.index + 1 : dot.index);
}

/** Without an empty line the body begins at the first line that can be no header field. */
function splitMessage(text: string, domain: string): { fields: readonly Field[]; body: string } {
  const fields: Field[] = [];
  let at = 0;
  while (at < text.length) {
    const end = endOfField(text, at);
    const given = text.slice(at, end);
    const name = /^[!-9;-~]{1,998}(?=[ \t]*:)/.exec(given)?.[0];
    if (name === undefined) break;
    const lines = addressFields.test(name) ? withDomains(given, domain) : given;
    const value = lines.slice(lines.indexOf(':') + 1).trim();
    fields.push({ name: name.toLowerCase(), value, text: lines.endsWith('\r\n') ? lines : `${lines}\r\n` });
    at = end;
  }
  return { fields, body: text.slice(text.startsWith('\r\n', at) ? at + 2 : at) };
}

/** Returns the index after the field's last line. */
function endOfField(text: string, from: number): number {
  for (let at = from; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return text.length;
    at = lineEnd + 2;
    if (text[at] !== ' ' && text[at] !== '\t') return at;
  }
}

function listRecipients(fields: readonly Field[]): string[] {
  const isResent = fields.some(({ name }) => name.startsWith(resent) && recipientFields.has(name.slice(7)));
  const prefix = isResent ? resent : '';
  return fields
    .filter(({ name }) => name.startsWith(prefix) && recipientFields.has(name.slice(prefix.length)))
    .map(({ value }) => value);
}

function withDomain(address: string, domain: string): string {
  return address.includes('@') ? address : `${address}@${domain}`;
}

/** Names alone, such as cron's `root (Cron Daemon)`, are users of this machine; other forms stay as they are. */
function withDomains(field: string, domain: string): string {
  if (/["<\\]|:[^]*:/.test(field)) return field;
  return field.replace(
    /([:,]\s*)([\w.+-]+)(?=\s*(?:\([^()]*\)\s*)?(?:,|$))/g,
    (_all, before: string, name: string) => `${before}${name}@${domain}`,
  );
}

/** Fields that every message has, for one without them. */
function missingFields(
  { call, user, domain, now }: SubmissionParts,
  fields: readonly Field[],
  sender: string,
): readonly string[] {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  const author = sender === '' ? withDomain(user, domain) : sender;
  const name = call.fullName ?? '';
  return [
    ...(has('from') ? [] : [`From: ${name === '' ? author : `${quote(name)} <${author}>`}\r\n`]),
    ...(has('date') ? [] : [`Date: ${now.toUTCString().replace('GMT', '+0000')}\r\n`]),
    ...(has('message-id') ? [] : [`Message-ID: <${randomUUID()}@${domain}>\r\n`]),
  ];
}

/** As a quoted string or, with other characters than ASCII's, an encoded word. */
function quote(name: string): string {
  const line = name.replace(/[\x00-\x1f\x7f]+/g, ' ');
  if (/^[\x20-\x7e]*$/.test(line)) return `"${line.replace(/["\\]/g, '\\$&')}"`;
  return `=?UTF-8?B?${Buffer.from(line).toString('base64')}?=`;
}

/**
 * Ends every line with CR LF: lines may end with LF, with CR LF, and with several CR before it, as text that was
 * converted twice has. A CR elsewhere stays.
 */
export function toCrLf(text: string): string {
  // From the first of several CR alone: each of them would search for the LF again.
  return text.replace(/(?<!\r)\r*\n/g, '\r\n');
}
