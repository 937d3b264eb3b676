// Opens a part, or makes an answer, when it is first asked for.

/** Keeps what `open` gave. After a failure the next call opens again: a store that was away for a moment comes back. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  async function tryOpen(): Promise<T> {
    try {
      // A turn later, so that no failure comes before `opened` is set.
      return await Promise.resolve().then(open);
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }
  return () => (opened ??= tryOpen());
}
