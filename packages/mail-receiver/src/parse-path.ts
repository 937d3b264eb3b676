// Parses the paths and parameters of MAIL and RCPT (RFC 5321 §4.1.2): untrusted text in, checked values or a reply
// out.

import { type Address, parseMailbox, parseSender } from './address.ts';
import { type Reply, replies } from './reply.ts';

export interface MailCommand {
  /** null for the null reverse-path `<>`. */
  readonly mailFrom: string | null;
  /** The declared size in bytes (RFC 1870), if any. */
  readonly sizeBytes: number | undefined;
  readonly isUtf8: boolean;
}

interface Path {
  readonly text: string;
  readonly parameters: readonly string[];
}

const noParameters: readonly string[] = [];

/** Splits `FROM:<path> KEY=VALUE…`. Accepts the spaces that many senders put around the path. */
function splitPath(text: string, keyword: 'FROM:' | 'TO:'): Path | undefined {
  const isMeant = text.startsWith(keyword) || text.slice(0, keyword.length).toUpperCase() === keyword;
  if (!isMeant) return undefined;
  const rest = text.slice(keyword.length).trimStart();
  if (!rest.startsWith('<')) return undefined;
  const end = findPathEnd(rest);
  if (end < 0) return undefined;
  const tail = rest.slice(end + 1);
  if (tail !== '' && !tail.startsWith(' ')) return undefined;
  const parameters = tail === '' ? noParameters : tail.split(' ').filter((word) => word !== '');
  return { text: rest.slice(1, end), parameters };
}

/** Returns the index of the bracket that closes the path, ignoring those inside a quoted local part. */
function findPathEnd(text: string): number {
  let isQuoted = false;
  for (let i = 1; i < text.length; i++) {
    const character = text[i];
    if (character === '\\' && isQuoted) i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '>' && !isQuoted) return i;
  }
  return -1;
}

/** Removes the source route, which is ignored (RFC 5321 §4.1.1.3). */
function withoutRoute(path: string): string {
  return path.startsWith('@') ? path.slice(path.indexOf(':') + 1) : path;
}

const hasNonAscii = /[^\x00-\x7f]/;
const postmaster = /^postmaster$/i;

export function parseMail(text: string): MailCommand | Reply {
  const path = splitPath(text, 'FROM:');
  if (!path) return replies.badSender;
  const parameters = parseMailParameters(path.parameters);
  if (typeof parameters === 'string') return parameters;
  const { sizeBytes, isUtf8 } = parameters;
  if (path.text === '') return { mailFrom: null, sizeBytes, isUtf8 };
  const mailFrom = withoutRoute(path.text);
  if (hasNonAscii.test(mailFrom) && !isUtf8) return replies.needsUtf8;
  return parseSender(mailFrom, isUtf8) ? { mailFrom, sizeBytes, isUtf8 } : replies.badSender;
}

/** `<>` or a mailbox in xtext (RFC 4954 §5, RFC 3461 §4). Accepted and ignored: nothing is relayed. */
const authIdentity = /^(?:<>|(?:[!-*,-<>-~]|\+[0-9A-F]{2}){1,500})$/;

function parseMailParameters(words: readonly string[]): Omit<MailCommand, 'mailFrom'> | Reply {
  if (words.length === 0) return { sizeBytes: undefined, isUtf8: false };
  let sizeBytes: number | undefined;
  let isUtf8 = false;
  const seen = new Map<string, string | undefined>();
  for (const word of words) {
    const [keyword = '', value] = splitParameter(word);
    // A repeated parameter is fine (smtplib adds a second SMTPUTF8) unless the values differ.
    if (seen.has(keyword) && seen.get(keyword)?.toUpperCase() !== value?.toUpperCase()) {
      return replies.badArguments;
    }
    seen.set(keyword, value);
    if (keyword === 'SIZE') {
      if (value === undefined || !/^\d{1,20}$/.test(value)) return replies.badArguments;
      sizeBytes = Number(value);
    } else if (keyword === 'BODY') {
      if (!/^(?:7BIT|8BITMIME)$/i.test(value ?? '')) return replies.badArguments;
    } else if (keyword === 'SMTPUTF8') {
      if (value !== undefined) return replies.badArguments;
      isUtf8 = true;
    } else if (keyword === 'AUTH') {
      if (!authIdentity.test(value ?? '')) return replies.badArguments;
    } else return replies.unknownParameter;
  }
  return { sizeBytes, isUtf8 };
}

function splitParameter(word: string): [keyword: string, value: string | undefined] {
  const equals = word.indexOf('=');
  return equals < 0
    ? [word.toUpperCase(), undefined]
    : [word.slice(0, equals).toUpperCase(), word.slice(equals + 1)];
}

export interface RcptCommand {
  readonly address: Address;
  /** As the sender spelled it, without route and brackets. */
  readonly text: string;
}

export function parseRcpt(text: string, isUtf8: boolean): RcptCommand | Reply {
  const path = splitPath(text, 'TO:');
  if (!path) return replies.badRecipient;
  if (path.parameters.length > 0) return replies.unknownParameter;
  const mailbox = withoutRoute(path.text);
  if (hasNonAscii.test(mailbox) && !isUtf8) return replies.needsUtf8;
  // The one recipient that needs no domain (RFC 5321 §4.1.1.3).
  if (postmaster.test(mailbox)) {
    return { address: { localPart: 'postmaster', domain: '' }, text: mailbox };
  }
  const address = parseMailbox(mailbox, isUtf8);
  // A local part that names another host is an old way to ask for relaying, whatever follows the last @.
  if (/[%@!]/.test(address?.localPart ?? mailbox.slice(0, Math.max(0, mailbox.lastIndexOf('@'))))) {
    return replies.relayDenied;
  }
  if (!address && /@\d+\.\d+\.\d+\.\d+$/.test(mailbox)) return replies.relayDenied;
  return address ? { address, text: mailbox } : replies.badRecipient;
}
