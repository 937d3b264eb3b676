// The rank-sum test of Mann and Whitney: whether times of one kind tend to exceed those of another, whatever their
// distribution. For kinds that must be indistinguishable by time.

export interface RankSum {
  /** How often a value of `one` exceeds a value of `other`, ties halved: 0.5 when indistinguishable. */
  readonly superiority: number;
  /** The deviation of the rank sum, in standard deviations of chance. */
  readonly z: number;
}

/** Neither may be empty. */
export function compareRanks(one: readonly number[], other: readonly number[]): RankSum {
  const all = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    let ofOne = 0;
    while (to < all.length && all[to]?.value === all[from]?.value) {
      if (all[to]?.isOne === true) ofOne += 1;
      to += 1;
    }
    // Ties share the mean of their ranks, which count from 1.
    rankSum += (ofOne * (from + 1 + to)) / 2;
    from = to;
  }
  const [m, n] = [one.length, other.length];
  const u = rankSum - (m * (m + 1)) / 2;
  const deviation = Math.sqrt((m * n * (m + n + 1)) / 12);
  return { superiority: u / (m * n), z: (u - (m * n) / 2) / deviation };
}
