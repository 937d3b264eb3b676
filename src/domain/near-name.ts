// Finds the known name that a misspelt one was meant to be, for settings and parameters.

/** Returns the known name fewest edits away, at most `edits`; undefined when there is none. */
export function findNearName(name: string, known: Iterable<string>, edits: number): string | undefined {
  let nearest: string | undefined;
  let least = edits + 1;
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= least) continue;
    const count = countEdits(name, one);
    if (count >= least) continue;
    nearest = one;
    least = count;
  }
  return nearest;
}

/** Counts letters put in, left out, replaced, or swapped with the next one. */
export function countEdits(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
