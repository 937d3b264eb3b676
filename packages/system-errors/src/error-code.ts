// The codes by which systems tell their errors apart: Node.js (`ENOENT`), SQLite, PostgreSQL (SQLSTATE), TLS.

/** Returns undefined for an error without one, and for anything else that was thrown. */
export function codeOf(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : undefined;
}

/** For `catch`: returns undefined if a file or folder does not exist, and throws any other error again. */
export function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
