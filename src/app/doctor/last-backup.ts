// When a backup was last made and verified: a small file in the data folder, written by `mayfly backup`.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BackupFacts } from '#doctor/facts';
import { readIfThere } from '#sealing/read-if-there';

const name = 'last-backup.json';

/** Where there is no data folder, as beside a database elsewhere, no service asks. */
export function noteBackup(dataDir: string, { madeAt, folder }: BackupFacts): void {
  if (!existsSync(dataDir)) return;
  const content = { made_at: new Date(madeAt).toISOString(), folder };
  writeFileSync(join(dataDir, name), `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** Returns undefined when there was none. A file that cannot be read says of none either. */
export function readLastBackup(dataDir: string): BackupFacts | undefined {
  const text = readIfThere(join(dataDir, name))?.toString();
  if (text === undefined) return undefined;
  try {
    const { made_at: time, folder } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const madeAt = Date.parse(String(time));
    return Number.isNaN(madeAt) ? undefined : { madeAt, folder: String(folder) };
  } catch {
    return undefined;
  }
}
