// Which errors of SQLite mean that the file must not be written again. Used by the writer and the checkpointer.

/** After a failed fsync the kernel may have dropped the dirty pages: a retry could "succeed" over lost data. */
export function isBreaking(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code);
}
