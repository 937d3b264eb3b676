// The port to a consistent copy of an embedded store, for backups. Made by open-sqlite-store.ts.

export interface StoreCopy {
  /**
   * Copies everything committed up to some moment between the call and its end into one new file beside the store, a
   * little at a time: the store goes on serving. Resolves with its absolute path when it is on disk; the caller takes
   * it away at once: some 20 seconds later it is removed, since it holds keys that are to be destroyed.
   * @throws CopyRefused when there is no room, or one is being made
   */
  make(): Promise<{ readonly file: string; readonly bytes: number }>;
}

/** `message` is for the operator. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}
