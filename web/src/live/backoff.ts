// The wait before the next try: doubled each time, with a random part so that pages that lost the same service do not
// return at once. Pure; the random number is an argument.

const firstMs = 400;
const mostMs = 10_000;

/** @param failures tries that failed in a row, at least 1; @param chance random, 0 to 1 */
export function backoffMs(failures: number, chance: number): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(full * (0.5 + chance / 2));
}
