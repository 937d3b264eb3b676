// Dot variants of a Gmail address: the same letters with dots between some of them. n letters have n-1 gaps and so
// 2^(n-1) variants, up to half a billion. A keyed permutation maps numbers to variants, so that neither all of them nor
// those in use are ever listed.

import { type AliasBase, withoutDots } from './alias.ts';
import { permute } from './variants/permute.ts';

/** RFC 5321 §4.5.3.1.1. */
const localPartMaxOctets = 64;

/** Returns the number of gaps that may contain a dot: all, unless the name with all of them would be too long. */
function countGaps({ localPart, isGmail }: AliasBase): number {
  const { length } = withoutDots(localPart);
  return isGmail ? Math.min(length - 1, localPartMaxOctets - length) : 0;
}

/** Returns how many numbers map to distinct spellings, including those that are never given out. */
export function countDotNumbers(base: AliasBase): number {
  return 2 ** countGaps(base);
}

/** Returns how many variants can be in use at once. */
export function countDotVariants(base: AliasBase): number {
  const { localPart } = base;
  const lastDot = localPart.lastIndexOf('.');
  const gapsUsed = lastDot < 0 ? 0 : withoutDots(localPart.slice(0, lastDot)).length;
  const isOwnAmongThem = gapsUsed > 0 && gapsUsed <= countGaps(base);
  return countDotNumbers(base) - (isOwnAmongThem ? 2 : 1);
}

/**
 * Returns the local part that a number (from 0, unbounded) maps to; undefined for the account's own spelling and the
 * one without dots. Numbers that differ by less than countDotNumbers map to different ones.
 * @param key secret, constant for the account's whole life
 */
export function toDotVariant(base: AliasBase, key: Uint8Array, number: number): string | undefined {
  const gaps = countGaps(base);
  const letters = withoutDots(base.localPart);
  const dots = permute({ key, bits: gaps }, number % 2 ** gaps);
  let variant = '';
  for (let at = 0; at < letters.length; at++) {
    variant += letters[at] ?? '';
    if (at < gaps && Math.floor(dots / 2 ** at) % 2 === 1) variant += '.';
  }
  return variant === letters || variant === base.localPart ? undefined : variant;
}
