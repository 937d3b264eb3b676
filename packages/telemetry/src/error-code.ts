// The codes by which systems tell their errors apart: Node.js (`ENOENT`), SQLite, PostgreSQL (SQLSTATE), TLS.

/** Returns undefined for an error without one, and for anything else that was thrown. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
