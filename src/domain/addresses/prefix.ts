// The local part of a new address: parsed from the caller's prefix, or random characters.

import { MayflyError } from '../mayfly-error.ts';

const prefixMaxLength = 40;

/**
 * Never given out, in any case or with any separator: the recipient of some of these can obtain a TLS certificate for
 * the domain (CA/Browser Forum Baseline Requirements, constructed e-mail); the rest are roles (RFC 2142).
 */
const reserved = new Set(
  (
    'abuse admin administrator billing hostmaster mailer-daemon no-reply noc noreply postmaster root security ' +
    'ssladmin ssladministrator sslwebmaster support sysadmin usenet uucp webmaster www'
  )
    .split(' ')
    .map(squash),
);

function squash(text: string): string {
  return text.replace(/[._-]/g, '');
}

/** Reports whether the local part is reserved for the operator, however it is spelled. */
export function isReservedLocalPart(localPart: string): boolean {
  const base = localPart.toLowerCase().split('+', 1)[0] ?? '';
  return reserved.has(squash(base));
}

/**
 * Parses a caller's prefix to a local part: 1 to 40 of `a-z 0-9 . _ -`, first and last a letter or digit, no two
 * separators in a row, upper case folded.
 * @throws MayflyError invalid_prefix, reserved_prefix
 */
export function parsePrefix(text: string): string {
  // Check before folding case: some letters beyond ASCII have an ASCII lower case.
  if (text.length > prefixMaxLength || !/^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/.test(text)) {
    throw new MayflyError(
      'invalid_prefix',
      `The prefix must be 1 to ${prefixMaxLength} of the characters a-z, 0-9, dot, underscore and hyphen, start ` +
        'and end with a letter or digit, and have no two separators in a row.',
      { parameter: 'prefix' },
    );
  }
  const prefix = text.toLowerCase();
  if (isReservedLocalPart(prefix)) {
    throw new MayflyError('reserved_prefix', 'This prefix is reserved; choose another one.', {
      parameter: 'prefix',
    });
  }
  return prefix;
}

/** Lower case without easily misread characters (0/o, 1/l, i): 31 characters, 4.95 bits each. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789';
const randomLength = 11;

/**
 * Returns a random local part of 54 bits. Starts with a letter, so that no form rejects it.
 * @param randomBytes a source of uniform bytes
 */
export function randomLocalPart(randomBytes: (count: number) => Uint8Array): string {
  const letters = 23;
  let text = '';
  while (text.length < randomLength) {
    for (const byte of randomBytes(32)) {
      if (text.length === randomLength) break;
      const size = text.length === 0 ? letters : readable.length;
      if (byte < 256 - (256 % size)) text += readable[byte % size] ?? '';
    }
  }
  return isReservedLocalPart(text) ? randomLocalPart(randomBytes) : text;
}
