// The local part of a test's address: it tells a reader of a log whose mail it is, and is nobody else's.

import { randomBytes } from 'node:crypto';

/** Of the service: letters, digits and single separators. */
const prefixMaxLength = 40;
/** Letters and digits, so that a second run is no trouble where an address rests after its session. */
const randomLength = 6;

export interface NamedTest {
  readonly title: string;
  readonly workerIndex: number;
  readonly retry: number;
}

/** Returns such as `signs-up-with-a-code-w3-r1-k4x0qz`. */
export function makePrefix({ title, workerIndex, retry }: NamedTest): string {
  const end = `w${workerIndex}-r${retry}-${randomWord()}`;
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, prefixMaxLength)
    .replace(/^-/, '')
    .slice(0, prefixMaxLength - end.length - 1)
    .replace(/-$/, '');
  return words === '' ? end : `${words}-${end}`;
}

function randomWord(): string {
  // Six bytes have far more values than six digits of base 36: each digit is as likely as any other.
  return randomBytes(6).readUIntBE(0, 6).toString(36).slice(-randomLength).padStart(randomLength, '0');
}
