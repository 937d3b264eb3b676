// Checks the parts of a mail that all senders' interfaces have: addresses, header fields and files.

import { type Mailbox, parseMailboxes } from '@mayfly/mail-reader/header';
import { parseMailbox } from '../../../mail-receiver/src/address.ts';
import type { SentFile } from '../composing/message.ts';
import { isOneLine } from './members.ts';
import { typeOfName } from './type-of-name.ts';

/** Returns undefined for an address that is none. @param name the display name, on one line */
export function toMailbox(email: string, name = ''): Mailbox | undefined {
  return parseMailbox(email, true) && isOneLine(name) ? { name, email } : undefined;
}

/**
 * Parses a list as in a header field, such as `Ann <ann@a.example>, bob@b.example`; undefined if any part of it is no
 * address.
 */
export function parseAddressList(text: string, max: number): readonly Mailbox[] | undefined {
  if (!isOneLine(text)) return undefined;
  const mailboxes = parseMailboxes(Buffer.from(text).toString('latin1'), max + 1);
  const areValid = mailboxes.every(({ name, email }) => toMailbox(email, name));
  return mailboxes.length > 0 && areValid ? mailboxes : undefined;
}

/** As `parseAddressList`, of exactly one. */
export function parseOneAddress(text: string): Mailbox | undefined {
  const mailboxes = parseAddressList(text, 1);
  return mailboxes?.length === 1 ? mailboxes[0] : undefined;
}

/** Fields that the call's own members write, or that servers on the way would: a caller's would contradict them. */
const reserved: ReadonlySet<string> = new Set([
  ...['from', 'to', 'cc', 'bcc', 'subject', 'mime-version', 'received', 'return-path', 'dkim-signature'],
  ...['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'],
  ...[
    'resent-to',
    'resent-cc',
    'resent-bcc',
    'resent-from',
    'resent-sender',
    'apparently-to',
    'delivered-to',
  ],
]);

/** Why a header field cannot be written; undefined when it can. */
export function headerFault(name: string, value: string): 'name' | 'value' | 'reserved' | undefined {
  if (!/^[\x21-\x39\x3b-\x7e]{1,100}$/.test(name)) return 'name';
  if (!isOneLine(value)) return 'value';
  return reserved.has(name.toLowerCase()) ? 'reserved' : undefined;
}

/** Returns undefined for text that is not base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const isEncoded = !/[^A-Za-z0-9+/_=\s-]/.test(text) && !/=[^=\s]/.test(text);
  return isEncoded ? Buffer.from(text, 'base64') : undefined;
}

export interface GivenFile {
  readonly content: Buffer;
  readonly filename: string;
  /** As given; by the name without one. */
  readonly contentType: string | undefined;
  readonly contentId: string | undefined;
  readonly disposition?: string | undefined;
}

/** Returns undefined when a part of it cannot be written. */
export function toFile(given: GivenFile): SentFile | undefined {
  const { content, filename, contentId = '' } = given;
  const type =
    /^[^;]*/
      .exec(given.contentType ?? '')?.[0]
      .trim()
      .toLowerCase() ?? '';
  const contentType = type === '' ? typeOfName(filename) : type;
  const id = contentId.replace(/^cid:/, '').replace(/^<|>$/g, '');
  if (!/^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(contentType)) return undefined;
  if (!isOneLine(filename) || /[^\x21-\x7e]|[<>]/.test(id) || id.length > 998) return undefined;
  const isInline = given.disposition === undefined ? id !== '' : given.disposition === 'inline';
  return { content, filename, contentType, contentId: id, disposition: isInline ? 'inline' : 'attachment' };
}
