// The codes of errors: of PostgreSQL (SQLSTATE), Node.js and callers.

/** Returns undefined for an error without one, and for anything else that was thrown. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
