// Errors of the operating system.

/** Returns `ENOENT` or the like; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** For `catch`: replaces the error that there is no such file with undefined, and passes every other on. */
export function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
