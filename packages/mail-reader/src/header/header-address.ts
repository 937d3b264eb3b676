// Parses address fields into mailboxes for display: decoded name and plain addr-spec (RFC 5322 §3.4, RFC 6531). Used
// by the summary (first mailbox of From), by the parser (From, To, Cc, Reply-To) and by gmail/find-recipients, which
// compares the result with lent aliases. Nothing else may route mail by it. An address is only read where the syntax
// allows one; otherwise it is ''.
import {
  AddressScanner,
  type AddressWord,
  type RawMailbox,
  readComment,
  readQuoted,
} from './address-words.ts';
import { cleanLine, trimAscii } from '../text/clean-text.ts';
import { decodeRawBytes, decodeWords } from './decode-words.ts';

export interface Mailbox {
  /** Decoded display name, one line; '' for none. */
  name: string;
  /** addr-spec of at most 320 characters; '' when missing or malformed. Untrusted. */
  readonly email: string;
}

const nameMaxChars = 998;
/** Bidirectional controls: with one, a name can make the address after it look like another. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
/** Invisible and bidirectional characters; the joiners carry meaning within words. */
const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffd]/u;
/**
 * 64 octets of local part, `@`, 255 of domain (RFC 5321 §4.5.3.1). Longer ones are not cut: that would be another
 * address.
 */
const emailMaxChars = 320;
/** A phrase split by stray commas is rejoined from at most this many pieces. */
const loosePhrasesMax = 16;

/** Returns the first `limit` mailboxes of an unfolded byte string, group members included. */
export function parseMailboxes(value: string, limit: number, declared: string | null = null): Mailbox[] {
  const scanner = new AddressScanner(value);
  const mailboxes: Mailbox[] = [];
  let loose: Mailbox[] = [];
  for (let raw = scanner.next(); raw !== undefined && mailboxes.length < limit; raw = scanner.next()) {
    const mailbox = toMailbox(raw, declared);
    if (mailbox.email === '' && raw.angle === null) {
      // `Doe, John <j@x>` without quotes: the piece before the comma waits for its address.
      if (mailbox.name !== '') loose.push(mailbox);
      if (loose.length > loosePhrasesMax) mailboxes.push(...loose.splice(0));
      continue;
    }
    if (loose.length > 0 && raw.angle !== null) {
      const pieces = [...loose, mailbox].map((piece) => piece.name).filter((name) => name !== '');
      mailbox.name = cleanLine(pieces.join(', '), nameMaxChars);
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
 * Returns the address of an unfolded byte string that holds exactly one, written so that every reader finds it;
 * undefined for anything else: several addresses, groups, routes, comments or white space inside the address, words or
 * brackets after it. The result equals the address from parseMailboxes.
 */
export function readSoleAddress(value: string): string | undefined {
  // Some readers end the field at a NUL or a lone carriage return.
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return undefined;
  const scanner = new AddressScanner(value);
  const pieces: RawMailbox[] = [];
  for (let raw = scanner.next(); raw !== undefined; raw = scanner.next()) {
    if (raw.isOdd || pieces.push(raw) > loosePhrasesMax) return undefined;
  }
  // `Doe, John <j@x>`: pieces of a name may precede the address; nothing may follow it.
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
 * Reports whether every reader takes the words before the brackets for a name. Some ignore the brackets and take an
 * unquoted address for the sender; many senders write theirs twice, and only then is it harmless.
 */
function isPlainName(words: AddressWord[], domain: string): boolean {
  return words.every(({ text, quoted }, at) => {
    if (quoted) return true;
    if (/[\\)]/.test(text)) return false;
    const isSame = at === words.length - 1 && plainAddrSpec.test(text) && text.toLowerCase().endsWith(domain);
    return isSame || !text.includes('@');
  });
}

/** Reports whether an encoded word hides an address or an end of the name from readers that decode before parsing. */
function breaksOut({ words, comment }: RawMailbox): boolean {
  return [...words.map(({ text }) => text), comment].some((text) => {
    if (!text.includes('=?')) return false;
    const decoded = decodeWords(text);
    return decoded !== text && decoded.includes('@') && /[<>,;:"]/.test(decoded);
  });
}

/** Reports whether no reader can take the piece before a comma for the first of several addresses. */
function isPartOfName({ words, angle }: RawMailbox): boolean {
  const text = decodeWords(joinWords(words));
  return angle === null && words.length > 0 && !/[\\)@\uff20\ufe6b]/.test(text);
}

function toMailbox(raw: RawMailbox, declared: string | null): Mailbox {
  const { words } = raw;
  const named = (phrase: AddressWord[]): string => {
    const text = phrase.length > 0 ? joinWords(phrase) : raw.comment;
    return cleanLine(decodeWords(text, declared).replace(turning, ''), nameMaxChars);
  };
  if (raw.angle !== null) return { name: named(words), email: toAddrSpec(raw.angle) };
  const whole = toAddrSpec(joinRaw(words));
  if (whole !== '') return { name: named([]), email: whole };
  // `John Doe john@x`: the only atom with an `@` is the address, the rest is the name.
  const index = words.findIndex((word) => !word.quoted && word.text.includes('@'));
  const email = index < 0 ? '' : toAddrSpec(words[index]?.text ?? '');
  if (email !== '') return { name: named(words.toSpliced(index, 1)), email };
  // `root (Cron Daemon)`: a local address without a domain, and the name as a comment.
  const isLocal = words.length === 1 && raw.comment !== '';
  return { name: named(isLocal ? [] : words), email };
}

function joinWords(words: AddressWord[]): string {
  return words.map((word, index) => (word.spaced && index > 0 ? ' ' : '') + word.text).join('');
}

/** Joins the words as written, with their quotes, to be parsed as an addr-spec. */
function joinRaw(words: AddressWord[]): string {
  const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return words
    .map((word) => (word.spaced ? ' ' : '') + (word.quoted ? quote(word.text) : word.text))
    .join('');
}

/** The form of nearly all addresses, accepted without a scan. */
const plainAddrSpec = /^[\w.!#$%&'*+/^`{|}~-]{1,64}@[\w.-]{1,255}$/;
/** An encoded word as local part: its decoded text is not an address (RFC 2047 §5). */
const encodedLocal = /^=\?[^?]*\?[bq]\?/i;

/**
 * Returns the addr-spec in a byte string that may hold a route, comments, quotes and white space; '' if there is none.
 */
export function toAddrSpec(value: string): string {
  if (plainAddrSpec.test(value)) return value;
  if (value.length > 4 * emailMaxChars) return '';
  const text = squeeze(value);
  if (text === undefined) return '';
  const { at, count } = findAt(text);
  if (count !== 1 || at === 0 || at === text.length - 1 || encodedLocal.test(text)) return '';
  const email = decodeRawBytes(text);
  if (email.length > emailMaxChars || unseen.test(email)) return '';
  return email;
}

/**
 * Removes comments, the route and the white space RFC 5322 allows around `.` and `@`; undefined if words remain apart.
 */
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

/** Finds the `@` outside quoted strings and counts them. Any other character that needs quoting adds to the count. */
function findAt(text: string): { at: number; count: number } {
  let at = -1;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '"') {
      // A quoted string is only a local part: it starts the text and `@` follows (obs-local-part aside).
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
