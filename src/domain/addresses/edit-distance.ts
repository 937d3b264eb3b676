// Measures the distance between two short texts, to distinguish a typing error from a different word. Pure.

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
