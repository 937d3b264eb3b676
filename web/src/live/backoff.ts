// How long to wait before the next try: doubled each time, with a random part so that all the pages that lost the same
// service do not come back at once. Pure but for the chance handed in.

const firstMs = 400;
const mostMs = 10_000;

/** @param failures tries that failed in a row, 1 or more; @param chance 0 to 1 */
export function backoffMs(failures: number, chance: number): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(full * (0.5 + chance / 2));
}
