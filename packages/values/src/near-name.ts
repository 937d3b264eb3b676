// Measures how far two short texts are apart, to distinguish a typing error from a different word, and finds the known
// name that a misspelt one was meant to be.

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

/**
 * Reports whether at most `edits` edits turn one text into the other: a letter inserted, deleted or replaced, or two
 * neighbours swapped (optimal string alignment). Only for a few edits, since each additional one costs four times as
 * much.
 */
export function isWithinEdits(one: string, other: string, edits: number): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const [left, right] = [one.slice(same), other.slice(same)];
  if (left === '' || right === '') return true;
  if (edits === 0) return false;
  const isSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  return (
    isWithinEdits(left.slice(1), right.slice(1), edits - 1) ||
    isWithinEdits(left.slice(1), right, edits - 1) ||
    isWithinEdits(left, right.slice(1), edits - 1) ||
    (isSwapped && isWithinEdits(left.slice(2), right.slice(2), edits - 1))
  );
}
