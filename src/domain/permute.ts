// A keyed permutation of the numbers below a power of two: a counter run through it gives every number once, in an order
// that only the key tells. Used for dot variants, so that none has to be listed or remembered to be found.

import { createHmac } from 'node:crypto';

/** Four make a permutation look random, eight do so to whoever chooses the numbers (Luby and Rackoff, and later). */
const rounds = 8;

export interface Permutation {
  readonly key: Uint8Array;
  /** Of the numbers permuted, from 0 to 32. */
  readonly bits: number;
}

/** @param number from 0, below 2^bits */
export function permute(permutation: Permutation, number: number): number {
  const { bits } = permutation;
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** bits) {
    throw new RangeError(`${number} has not ${bits} bits.`);
  }
  if (bits === 0) return 0;
  // A Feistel network permutes numbers of an even width; what falls outside is sent through again until it is inside,
  // which is a permutation of the inside (cycle walking).
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
