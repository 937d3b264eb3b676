// Which schemas a program can use, by the numbers of its migrations. Both engines number them alike, from 100: smaller
// numbers belonged to builds before the first release.

export interface Numbered {
  readonly version: number;
}

/** Returns the number of the newest of a program's migrations. */
export function newestOf(migrations: readonly Numbered[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** Returns whether a schema is of a build before the first release: older than the first migration, but not empty. */
export function isUnreleased(schema: number, migrations: readonly Numbered[]): boolean {
  return schema > 0 && schema < (migrations[0]?.version ?? 0);
}

/** Continues a sentence that has named the store and its schema. */
export const unreleasedAdvice =
  'of a build before the first release. No release reads it: begin with an empty store.';
