// Reads of a list that is kept in memory. Two that overlap may end in another order than they began: what the later one
// brought the earlier one, which may have begun before a change, does not take back. Used by block-list and keyring.

/** The returned function reads and keeps, and resolves once what is kept is at least as new as its call. */
export function createNewestRead<T>(read: () => Promise<T>, keep: (value: T) => void): () => Promise<void> {
  let begun = 0;
  let kept = 0;
  return async () => {
    begun += 1;
    const number = begun;
    const value = await read();
    if (number < kept) return;
    kept = number;
    keep(value);
  };
}
