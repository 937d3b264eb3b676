// For files and folders that need not exist.

/** For `catch`: replaces the error that there is no such file with undefined, and passes every other on. */
export function ignoreAbsent(error: unknown): undefined {
  if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
  throw error;
}
