// Makes the local part of a test's address, which is unique and names the test in logs.

import { randomBytes } from 'node:crypto';

/** The service's limit; it allows letters, digits and single separators. */
const prefixMaxLength = 40;
/** Random characters, so that a second run works although an address cannot be reused for a while. */
const randomLength = 6;

export interface NamedTest {
  readonly title: string;
  readonly workerIndex: number;
  readonly retry: number;
}

/** Returns a prefix such as `signs-up-with-a-code-w3-r1-k4x0qz`. */
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
  // Six bytes have far more values than six base-36 digits, so the digits are practically uniform.
  return randomBytes(6).readUIntBE(0, 6).toString(36).slice(-randomLength).padStart(randomLength, '0');
}
