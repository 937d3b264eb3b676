// Reproducible random numbers, for tests that try many orders and must fail the same way twice.

/** Returns a function that yields whole numbers from 0 up to but not including its argument (mulberry32). */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * below) / 2 ** 32) | 0;
  };
}
