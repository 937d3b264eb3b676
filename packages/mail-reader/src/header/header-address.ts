// Address fields to mailboxes for display: decoded name and plain addr-spec (RFC 5322 §3.4, RFC 6531).
// Called by the summary (first mailbox of From), by the parser (From, To, Cc, Reply-To), and by gmail/find-recipients,
// which compares what it gets with the aliases that are lent. Nothing else may route mail by it; an address is only
// ever read where the syntax puts one, else it is ''.
import { AddressScanner, readComment, readQuoted } from './address-words.ts';
import type { AddressWord, RawMailbox } from './address-words.ts';
import { cleanLine } from '../text/clean-text.ts';
import { decodeRawBytes, decodeWords } from './decode-words.ts';
import { trimAscii } from '../text/trim-ascii.ts';

export interface Mailbox {
  /** Decoded display name, one line; '' for none. */
  name: string;
  /** addr-spec of at most 320 characters; '' where there is none or it is not one. Untrusted. */
  readonly email: string;
}

const maxNameChars = 998;
/** What turns the direction of text: with it a name can make the address after it look like another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
/** What is not seen, or turns the direction of text; the joiners mean something within words. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffd]/u;
/** 64 octets of local part, `@`, 255 of domain (RFC 5321 §4.5.3.1). A longer one is not cut, since that is another address. */
const maxEmailChars = 320;
/** A phrase split by stray commas is put together again from at most this many pieces. */
const maxLoosePhrases = 16;

/** The first `limit` mailboxes of an unfolded byte string, group members included. */
export function parseMailboxes(value: string, limit: number, declared: string | null = null): Mailbox[] {
  const scanner = new AddressScanner(value);
  const mailboxes: Mailbox[] = [];
  let loose: Mailbox[] = [];
  for (let raw = scanner.next(); raw !== undefined && mailboxes.length < limit; raw = scanner.next()) {
    const mailbox = toMailbox(raw, declared);
    if (mailbox.email === '' && raw.angle === null) {
      // `Doe, John <j@x>` without quotes: the piece before the comma waits for its address.
      if (mailbox.name !== '') loose.push(mailbox);
      if (loose.length > maxLoosePhrases) mailboxes.push(...loose.splice(0));
      continue;
    }
    if (loose.length > 0 && raw.angle !== null) {
      const pieces = [...loose, mailbox].map((piece) => piece.name).filter((name) => name !== '');
      mailbox.name = cleanLine(pieces.join(', '), maxNameChars);
    } else {
      mailboxes.push(...loose);
    }
    loose = [];
    mailboxes.push(mailbox);
  }
  mailboxes.push(...loose);
  return mailboxes.slice(0, limit);
}

/**
 * The address of an unfolded byte string that holds exactly one, written so that every reader finds it; undefined for
 * all else: several, groups, routes, comments or white space within it, words or brackets after it. It is the address
 * that parseMailboxes gives.
 */
export function readSoleAddress(value: string): string | undefined {
  // A NUL or a lone carriage return ends the field for some.
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return undefined;
  const scanner = new AddressScanner(value);
  const pieces: RawMailbox[] = [];
  for (let raw = scanner.next(); raw !== undefined; raw = scanner.next()) {
    if (raw.isOdd || pieces.push(raw) > maxLoosePhrases) return undefined;
  }
  // `Doe, John <j@x>`: pieces of a name may stand before it, and nothing after it.
  const sole = pieces.at(-1);
  if (sole === undefined || scanner.hasGroup) return undefined;
  const isBare = sole.angle === null;
  if (isBare && (pieces.length > 1 || sole.words.some(({ spaced }, at) => spaced && at > 0))) {
    return undefined;
  }
  const written = trimAscii(sole.angle ?? joinRaw(sole.words));
  const email = toAddrSpec(written);
  if (email === '' || email !== decodeRawBytes(written) || written.includes('=?')) return undefined;
  if (pieces.some(breaksOut)) return undefined;
  const domain = written.slice(written.lastIndexOf('@')).toLowerCase();
  const isSole = (isBare || isPlainName(sole.words, domain)) && pieces.slice(0, -1).every(isPartOfName);
  return isSole ? email : undefined;
}

/**
 * Whether the words before the brackets are a name to every reader. An address without quotes is the sender to some,
 * who leave out what stands in brackets: many senders write theirs twice, and only then does it not matter.
 */
function isPlainName(words: AddressWord[], domain: string): boolean {
  return words.every(({ text, quoted }, at) => {
    if (quoted) return true;
    if (/[\\)]/.test(text)) return false;
    const isSame = at === words.length - 1 && plainAddrSpec.test(text) && text.toLowerCase().endsWith(domain);
    return isSame || !text.includes('@');
  });
}

/** Whether an encoded word holds an address and what would end a name, for readers that decode before they look. */
function breaksOut({ words, comment }: RawMailbox): boolean {
  return [...words.map(({ text }) => text), comment].some((text) => {
    if (!text.includes('=?')) return false;
    const decoded = decodeWords(text);
    return decoded !== text && decoded.includes('@') && /[<>,;:"]/.test(decoded);
  });
}

/** Whether what stands before a comma is nothing that a reader may take for the first of several addresses. */
function isPartOfName({ words, angle }: RawMailbox): boolean {
  const text = decodeWords(joinWords(words));
  return angle === null && words.length > 0 && !/[\\)@\uff20\ufe6b]/.test(text);
}

function toMailbox(raw: RawMailbox, declared: string | null): Mailbox {
  const { words } = raw;
  const named = (phrase: AddressWord[]): string => {
    const text = phrase.length > 0 ? joinWords(phrase) : raw.comment;
    return cleanLine(decodeWords(text, declared).replace(turning, ''), maxNameChars);
  };
  if (raw.angle !== null) return { name: named(words), email: toAddrSpec(raw.angle) };
  const whole = toAddrSpec(joinRaw(words));
  if (whole !== '') return { name: named([]), email: whole };
  // `John Doe john@x`: the one atom that is an address, the rest its name.
  const index = words.findIndex((word) => !word.quoted && word.text.includes('@'));
  const email = index < 0 ? '' : toAddrSpec(words[index]?.text ?? '');
  return email === '' ? { name: named(words), email } : { name: named(words.toSpliced(index, 1)), email };
}

function joinWords(words: AddressWord[]): string {
  return words.map((word, index) => (word.spaced && index > 0 ? ' ' : '') + word.text).join('');
}

/** The words as they stood, quotes put back, for reading them as an addr-spec. */
function joinRaw(words: AddressWord[]): string {
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return words
    .map((word) => (word.spaced ? ' ' : '') + (word.quoted ? quote(word.text) : word.text))
    .join('');
}

/** An address as written in nearly all mail: checked at once. */
const plainAddrSpec = /^[\w.!#$%&'*+/^`{|}~-]{1,64}@[\w.-]{1,255}$/;
/** An encoded word in place of a local part: what it would decode to is not an address (RFC 2047 §5). */
const encodedLocal = /^=\?[^?]*\?[bq]\?/i;

/** The addr-spec in a byte string that may hold a route, comments, quotes and white space; '' if it is none. */
export function toAddrSpec(value: string): string {
  if (plainAddrSpec.test(value)) return value;
  if (value.length > 4 * maxEmailChars) return '';
  const text = squeeze(value);
  if (text === undefined) return '';
  const { at, count } = findAt(text);
  if (count !== 1 || at === 0 || at === text.length - 1 || encodedLocal.test(text)) return '';
  const email = decodeRawBytes(text);
  if (email.length > maxEmailChars || unseen.test(email)) return '';
  return email;
}

/** Without comments, route and the white space that RFC 5322 allows around `.` and `@`; undefined if words stand apart. */
function squeeze(value: string): string | undefined {
  let out = '';
  let gap = false;
  for (let at = 0; at < value.length;) {
    const char = value.charAt(at);
    if (char === ' ' || char === '\t' || char === '\r' || char === '\n') {
      gap = true;
      at++;
      continue;
    }
    if (char === '(') {
      gap = true;
      at = readComment(value, at).end;
      continue;
    }
    const joins = out === '' || isJoint(char) || isJoint(out.charAt(out.length - 1));
    if (gap && !joins) return undefined;
    gap = false;
    const end = char === '"' ? readQuoted(value, at).end : at + 1;
    // A source route (RFC 5322 §4.4), `@a,@b:user@host`, is dropped.
    if (char === ':' && out.startsWith('@')) out = '';
    else out += value.slice(at, end);
    at = end;
  }
  return out;
}

function isJoint(char: string): boolean {
  return char === '.' || char === '@' || char === ',' || char === ':';
}

/** The `@` outside quoted strings, and how many there are. Anything else that needs quoting counts as one too many. */
function findAt(text: string): { at: number; count: number } {
  let at = -1;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') {
      // A quoted string is a local part, and nothing else: it starts the text and `@` follows (obs-local-part aside).
      const end = readQuoted(text, i).end;
      if (count > 0 || (i > 0 && text.charAt(i - 1) !== '.')) return { at, count: 2 };
      i = end - 1;
    } else if (char === '@') {
      at = i;
      count++;
    } else if (char === '[' && at === i - 1) {
      return { at, count: text.indexOf(']') === text.length - 1 ? count : 2 };
    } else if ('<>(),;:\\[]'.includes(char)) {
      return { at, count: 2 };
    }
  }
  return { at, count };
}
