// Destroyed data keys leave the files and the log of every machine, including one that their shard has left. The test
// searches the bytes on disk, so the cluster must run on this machine.

import { expect, it, onTestFinished } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { ShardMap } from '../../src/store/postgres/citus/shard-map.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { findBytes, newSession } from '../contract/store-fixture.ts';
import { type CitusDatabase, createCitusDatabase, type Machine } from '../support/postgres/citus-cluster.ts';
import { keepNoLog, readMachineFiles } from '../support/postgres/machine-files.ts';

const dayMs = 86_400_000;

async function open() {
  const database = await createCitusDatabase('erasing');
  onTestFinished(() => database.drop());
  await keepNoLog(database);
  const store = await openPostgresStore({
    url: database.url,
    quota: { messages: 1000, bytes: 1e9 },
    operatorMailbox: { maxMessages: 1, maxBytes: 1 },
    totalLifetimeMs: dayMs,
  });
  onTestFinished(() => store.close());
  const map = new ShardMap({ read: ({ text }) => database.execute(text) as never });
  await map.read();
  const sessions: Session[] = [];
  for (let count = 0; count < 24; count++) {
    const session = await store.mail.createSession(newSession({ totalLifetimeMs: dayMs }));
    if (session === 'taken') throw new Error('The address was taken.');
    sessions.push(session);
  }
  return { database, store, map, sessions };
}

/** Returns the sessions whose keys are on the machine's disk. */
async function keysOn(
  database: CitusDatabase,
  machine: Machine,
  sessions: readonly Session[],
): Promise<readonly Session[]> {
  const files = Buffer.concat(await readMachineFiles(database, machine));
  const found = new Set(
    findBytes(
      files,
      sessions.map(({ dataKey }) => dataKey),
    ),
  );
  return sessions.filter(({ dataKey }) => found.has(dataKey));
}

it('no machine keeps a destroyed key, and each its living ones', async () => {
  const { database, store, map, sessions } = await open();
  const ended = sessions.filter((_, at) => at % 2 === 0);
  for (const worker of database.workers) {
    expect(ended.filter(({ key }) => map.find(key)?.port === worker.port)).not.toEqual([]);
  }
  for (const { key } of ended) await store.mail.endSession(key);
  while (!(await store.mail.scrub()));
  for (const machine of database.machines) {
    const kept = await keysOn(database, machine, sessions);
    expect(kept.filter((session) => ended.includes(session))).toEqual([]);
    const own = sessions.filter(({ key }) => map.find(key)?.port === machine.port);
    expect(kept).toEqual(expect.arrayContaining(own.filter((session) => !ended.includes(session))));
  }
});

it('a machine that a shard has left keeps nothing of it once Citus has dropped it and its log is freed', async () => {
  const { database, store, map, sessions } = await open();
  const [from, to] = database.workers;
  if (!from || !to) throw new Error('Two workers are needed.');
  const [session] = sessions.filter(({ key }) => map.find(key)?.port === from.port);
  const shard = session && map.find(session.key);
  if (!shard) throw new Error('No session is there.');
  await database.execute(
    `SELECT citus_move_shard_placement(${shard.id}, '${from.host}', ${from.port}, '${to.host}', ${to.port},
       shard_transfer_mode => 'block_writes')`,
  );
  await store.mail.endSession(session.key);
  while (!(await store.mail.scrub()));
  expect(await keysOn(database, to, [session])).toEqual([]);
  await database.execute('CALL citus_cleanup_orphaned_resources()');
  for (const statement of ['SELECT pg_switch_wal()', 'CHECKPOINT']) await database.executeAt(from, statement);
  expect(await keysOn(database, from, [session])).toEqual([]);
  expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ state: 'ended' });
});
