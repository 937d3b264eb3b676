// A keyed permutation of the numbers below a power of two. A counter run through it visits every number once, in an
// order known only with the key. Used for dot variants, so that none has to be listed or remembered.

import { createHmac } from 'node:crypto';

/**
 * Four rounds look random; eight do even to an adversary who chooses the numbers (Luby and Rackoff, and later work).
 */
const rounds = 8;

export interface Permutation {
  readonly key: Uint8Array;
  /** The width of the permuted numbers in bits, from 0 to 32. */
  readonly bits: number;
}

/** @param number from 0, below 2^bits */
export function permute(permutation: Permutation, number: number): number {
  const { bits } = permutation;
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** bits) {
    throw new RangeError(`${number} does not fit in ${bits} bits.`);
  }
  if (bits === 0) return 0;
  // A Feistel network permutes numbers of even width; results outside the range are permuted again until inside,
  // which is a permutation of the range (cycle walking).
  let permuted = number;
  do permuted = permuteHalves(permutation, permuted);
  while (permuted >= 2 ** bits);
  return permuted;
}

function permuteHalves({ key, bits }: Permutation, number: number): number {
  const halfBits = Math.ceil(bits / 2);
  const size = 2 ** halfBits;
  let left = Math.floor(number / size);
  let right = number % size;
  for (let round = 0; round < rounds; round++) {
    const mixed =
      createHmac('sha256', key).update(`${bits}:${round}:${right}`).digest().readUInt32BE() % size;
    [left, right] = [right, (left ^ mixed) >>> 0];
  }
  return left * size + right;
}
