// Distributes a database that was served before: sessions, mail and webhooks continue, and the coordinator's files
// keep nothing. A backup is restored and distributed in the same way.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import {
  createEmptyDatabase,
  type CitusDatabase,
  distributeForTest,
} from '../support/postgres/citus-cluster.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll, unlimited } from '../support/faults/ledger.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { type Lent, type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { greet } from '../support/smtp/smtp-client.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

const seed = fuzzSeed();

async function useEmptyDatabase(purpose: string): Promise<CitusDatabase> {
  const database = await createEmptyDatabase(purpose);
  onTestFinished(() => database.drop());
  return database;
}

async function start(dataDir: string, settings: Readonly<Record<string, string>>): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, { ...unlimited, ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function send(mayfly: MayflyProcess, { email }: Lent): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  expect(await client.deliver('Subject: x\r\n\r\nbody\r\n', email)).toMatch(/^250 /);
  client.socket.destroy();
}

async function sendSome(mayfly: MayflyProcess) {
  const ledgers = await openLedgers(mayfly, 6);
  const isOver = (): boolean => countAcknowledged(ledgers) >= 60;
  await sendAll(mayfly, ledgers, { random: createRandom(seed), isOver });
  return ledgers;
}

/** Returns the bytes the coordinator itself holds of distributed tables. */
async function heldByCoordinator(database: CitusDatabase): Promise<number> {
  const [row] = await database.execute<{ bytes: number }>(
    `SELECT coalesce(sum(pg_relation_size(c.oid)), 0)::float8 AS bytes
     FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h'`,
  );
  return row?.bytes ?? NaN;
}

it(`a database that was served goes on distributed (FUZZ_SEED=${seed})`, async () => {
  const database = await useEmptyDatabase('filled');
  const [dataDir, sink] = [await useDataFolder(), await startSink()];
  const settings = {
    MAYFLY_STORE_URL: database.url,
    MAYFLY_WEBHOOKS_SESSIONS: 'on',
    MAYFLY_WEBHOOKS_PORTS: String(sink.port),
    MAYFLY_WEBHOOKS_ALLOWED_HOSTS: '127.0.0.1',
  };
  const before = await start(dataDir, settings);
  const lent = await before.lend({ webhook_url: `http://127.0.0.1:${sink.port}/` });
  await expect.poll(() => sink.received.length).toBe(1);
  const ledgers = await sendSome(before);
  await expect(distributeForTest(database.url)).rejects.toThrow('stop every node first');
  expect(await before.stop()).toBe(0);

  expect(await distributeForTest(database.url)).toContain('Distributed.');
  expect(await heldByCoordinator(database)).toBe(0);
  expect(await distributeForTest(database.url)).toContain('The database was distributed already.');
  const after = await start(dataDir, settings);
  for (const ledger of ledgers) await expectWhole(after, ledger);
  await send(after, lent);
  await expect
    .poll(() => sink.received.map(({ content }) => content.type))
    .toEqual(['webhook.challenge', 'message.received']);
  await openLedgers(after, 2);
});

it(`a backup is restored, distributed and served; served undistributed it is not (FUZZ_SEED=${seed})`, async () => {
  const [database, other] = [await useEmptyDatabase('saved'), await useEmptyDatabase('restored')];
  await distributeForTest(database.url);
  const [dataDir, folder, restored] = [await useDataFolder(), await useDataFolder(), await useDataFolder()];
  const backup = path.join(folder, 'backup');
  await writeFile(path.join(dataDir, 'note'), randomBytes(8));
  const mayfly = await start(dataDir, { MAYFLY_STORE_URL: database.url });
  const ledgers = await sendSome(mayfly);
  expect(await mayfly.stop()).toBe(0);
  const run = (folderOf: string, { url }: CitusDatabase, ...words: readonly string[]) =>
    runMayfly(folderOf, words, { ...unlimited, MAYFLY_STORE_URL: url });
  expect(await run(dataDir, database, 'backup', backup)).toMatchObject({
    stderr: '',
    stdout: expect.stringContaining(`6 live sessions, ${countAcknowledged(ledgers)} messages`),
  });

  expect(await run(restored, other, 'restore', backup)).toMatchObject({
    stderr: '',
    stdout: expect.stringContaining(`6 live sessions, ${countAcknowledged(ledgers)} messages`),
  });
  const refused = await run(restored, other, 'serve');
  expect(refused).toMatchObject({ status: 78, stdout: '' });
  expect(refused.stderr).toContain('run `mayfly postgres distribute` again first');
  expect(await run(restored, other, 'postgres', 'distribute')).toMatchObject({ status: 0, stderr: '' });
  const served = await start(restored, { MAYFLY_STORE_URL: other.url });
  for (const ledger of ledgers) await expectWhole(served, ledger);
  expect(await heldByCoordinator(other)).toBe(0);
  await openLedgers(served, 2);
});
