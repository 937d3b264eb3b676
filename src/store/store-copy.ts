// The port to a consistent copy of an embedded store, for backups.

import { CopyRefused } from '#group-commit/live-copy';

export interface StoreCopy {
  /**
   * Copies everything committed up to some moment between the call and its end to one new file beside the store, in
   * small steps while the store keeps serving. Resolves with its absolute path when it is on disk. The caller collects
   * it at once: after about 20 seconds it is removed, to free its space.
   * @throws CopyRefused when there is no room, or one is being made
   */
  make(): Promise<{ readonly file: string; readonly bytes: number }>;
}

export { CopyRefused };
