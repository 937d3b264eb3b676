// Reproducible random input: a seeded generator (mulberry32). Property and fuzz tests name their seed in the test's
// title; FUZZ_SEED sets it.

export interface Random {
  /** Returns a whole number from 0 to `end` - 1. */
  below(end: number): number;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Buffer;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: (choices) => choices[below(choices.length)]!,
    bytes: (length) => Buffer.from(new Uint8Array(length).map(() => below(256))),
  };
}

/** Set by `npm run test:all`. */
const isThorough = process.env['FUZZ'] === 'fresh';

/** Returns FUZZ_SEED, to repeat a run, or else 1, or in `npm run test:all` a new seed each time. */
export function fuzzSeed(): number {
  const given = process.env['FUZZ_SEED'];
  if (given !== undefined) return Number(given);
  return isThorough ? Date.now() % 2 ** 32 : 1;
}

/** Returns the duration of a fuzz test, ms: short, or `thoroughMs` in `npm run test:all`. */
export function fuzzTime(thoroughMs: number): number {
  return isThorough ? thoroughMs : Math.min(thoroughMs, 200);
}

/** Cuts bytes into pieces of random length, each in separate memory. */
export function cutRandomly(bytes: Buffer, random: Random, longest: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = from + 1 + random.below(longest);
    pieces.push(Buffer.from(bytes.subarray(from, to)));
    from = to;
  }
  return pieces;
}
