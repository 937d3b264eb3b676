// Changes many messages in slices: each slice shares a commit, and other work gets its turn in between. Used by
// delete-mail and mark-mail.

const slice = 64;

/** Returns those for which `change` resolved with true, in order. */
export async function inSlices(
  ids: readonly number[],
  change: (id: number) => Promise<boolean>,
): Promise<number[]> {
  const changed: number[] = [];
  for (let at = 0; at < ids.length; at += slice) {
    const some = ids.slice(at, at + slice);
    const outcomes = await Promise.all(some.map(change));
    changed.push(...some.filter((_, index) => outcomes[index] === true));
  }
  return changed;
}
