// The functions of the schema: functions/*.sql, with those of plain/ on a single server or of citus/ on a distributed
// schema. They are put in place together whenever one has changed, in the transaction of the migrations. A running node
// sees either all old ones or all new ones, and waits for neither: replacing a function locks no table. So a function
// keeps its parameters and result, or takes another name: an older node may call it during an upgrade. A release that
// changes functions also takes a migration number, since an older program leaves newer functions alone.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import type pg from 'pg';

const functionsFolder = new URL('../functions/', import.meta.url);

/** Returns the texts in the order of their names: those that both kinds of schema use, then those of one kind. */
export function readFunctions(kind: 'citus' | 'plain'): readonly string[] {
  const folders = [functionsFolder, new URL(`${kind}/`, functionsFolder)];
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  );
}

/** Replaces the functions, unless these or those of a newer program are in place. @param version newest migration known */
export async function putFunctions(
  client: pg.ClientBase,
  texts: readonly string[],
  version: number,
): Promise<void> {
  const digest = createHash('sha256').update(texts.join('\n')).digest('hex');
  const { rows } = await client.query<{ digest: string; version: number }>(
    'SELECT digest, version FROM mayfly.functions',
  );
  const [present] = rows;
  if (present && (present.digest === digest || present.version > version)) return;
  for (const text of texts) await client.query(text);
  await client.query(
    `INSERT INTO mayfly.functions (digest, version) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, version = excluded.version`,
    [digest, version],
  );
}
