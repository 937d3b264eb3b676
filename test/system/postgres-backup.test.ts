// `mayfly backup` and `mayfly restore` on PostgreSQL: under load, into another database, and refusals.

import { access, appendFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
  unlimited,
} from '../support/faults/ledger.ts';
import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';

const seed = fuzzSeed();
const postgres = usePostgresFixture();

async function start(dataDir: string, url: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, { ...unlimited, MAYFLY_STORE_URL: url });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

function run(dataDir: string, url: string, ...words: readonly string[]) {
  return runMayfly(dataDir, words, { ...unlimited, MAYFLY_STORE_URL: url });
}

async function acknowledged(ledgers: readonly Ledger[], count: number): Promise<void> {
  await expect.poll(() => countAcknowledged(ledgers), { timeout: 60_000 }).toBeGreaterThan(count);
}

describe('a backup of a database', () => {
  it(`under load holds everything acknowledged before it, and nothing in part (FUZZ_SEED=${seed})`, async () => {
    const [dataDir, folder, restored] = [await useDataFolder(), await useDataFolder(), await useDataFolder()];
    const [url, otherUrl] = [await postgres.createUrl(), await postgres.createUrl()];
    const mayfly = await start(dataDir, url);
    const ledgers = await openLedgers(mayfly, 3);
    let isOver = false;
    const sending = sendAll(mayfly, ledgers, { random: createRandom(seed), isOver: () => isOver });
    await acknowledged(ledgers, 100);
    const before = ledgers.map((ledger) => ({ ...ledger, acknowledged: new Set(ledger.acknowledged) }));
    const made = await run(dataDir, url, 'backup', folder);
    expect(made.stderr).toBe('');
    expect(made.stdout).toMatch(/^Backup in .*: 3 live sessions, \d+ messages, \d+ other files\.\n$/);
    await acknowledged(ledgers, countAcknowledged(ledgers) + 20);
    isOver = true;
    await sending;

    const again = await run(restored, otherUrl, 'restore', folder);
    expect(again.stderr).toBe('');
    const counts = /\d+ live sessions, \d+ messages/;
    expect(again.stdout).toContain(counts.exec(made.stdout)?.[0]);
    const other = await start(restored, otherUrl);
    // Messages sent during the copy may or may not be in it; those that are must be whole.
    for (const [at, ledger] of before.entries()) {
      await expectWhole(other, { ...ledger, sent: ledgers[at]?.sent ?? new Set() });
    }
    // New mail and sessions continue from there.
    await openLedgers(other, 1);
    expect((await run(await useDataFolder(), otherUrl, 'restore', folder)).stderr).toBe(
      'mayfly: The database contains a Mayfly installation already: nothing there is overwritten.\n',
    );
  });

  it('is refused when it was changed, or for another store', async () => {
    const [dataDir, folder] = [await useDataFolder(), await useDataFolder()];
    const url = await postgres.createUrl();
    const mayfly = await start(dataDir, url);
    await mayfly.lend();
    expect((await run(dataDir, url, 'backup', folder)).status).toBe(0);

    const refusal = await run(await useDataFolder(), 'sqlite:', 'restore', folder);
    expect(refusal.stderr).toBe(
      'mayfly: This is a backup of a PostgreSQL store: MAYFLY_STORE_URL must name an empty database for it.\n',
    );
    await appendFile(path.join(folder, 'mayfly.pgdump'), 'x');
    expect(
      (await run(await useDataFolder(), await postgres.createUrl(), 'restore', folder)).stderr,
    ).toContain('differs from what was backed up');
  });

  it('reports in one line that pg_dump is missing, or the database does not respond, and leaves no finished backup', async () => {
    const [dataDir, folder] = [await useDataFolder(), await useDataFolder()];
    const url = await postgres.createUrl();
    await start(dataDir, url);
    const settings = { ...unlimited, MAYFLY_STORE_URL: url, PATH: '/nowhere' };
    const { status, stderr } = await runMayfly(dataDir, ['backup', folder], settings);
    expect([status, stderr]).toEqual([
      1,
      'mayfly: pg_dump is not installed: it comes with PostgreSQL’s client programs (Debian: postgresql-client).\n',
    ]);
    await expect(access(path.join(folder, 'backup.json'))).rejects.toThrow('ENOENT');
    const gone = await run(
      await useDataFolder(),
      'postgres://a:s3cret@127.0.0.1:1/none',
      'backup',
      await useDataFolder(),
    );
    expect(gone.stderr).toMatch(/^mayfly: The database cannot be queried: [^\n]+\n$/);
    expect(gone.stderr).not.toContain('s3cret');
  });
});
