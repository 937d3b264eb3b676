// Orders reads of a list that is kept in memory. Overlapping reads may finish out of order; an earlier read, which may
// precede a change, does not overwrite the result of a later one. Used by block-list and keyring.

/** Returns a function that reads and keeps a value, and resolves once the kept value is at least as new as the call. */
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
