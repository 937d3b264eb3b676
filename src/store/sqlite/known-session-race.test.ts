// A session's row that left memory and was read again while the thread for deliveries wrote: it says what was before.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import type { Session } from '../../domain/session.ts';
import { newSession } from '../../../test/contract/store-fixture.ts';
import type { Delivery, DeliveryOutcome } from '../mail-store.ts';
import { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';

/** As many as are kept in memory. */
const knownMax = 20_000;

let folder: string;
let file: string;
let store: SqliteStore;
let news: Uint8Array[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-race-'));
  file = join(folder, 'mayfly.db');
  news = [];
  store = openSqliteStore({
    file,
    quota: { messages: 10, bytes: 10_000 },
    onBroken: (error) => {
      throw error;
    },
    onNews: (key) => news.push(key),
    sealer: new URL('../../../test/support/unsealed-delivery.mjs', import.meta.url),
  });
  await store.startThread();
  return async () => {
    await store.mail.close();
    await rm(folder, { recursive: true });
  };
});

async function create(): Promise<Session> {
  const session = await store.mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

function deliveryOf({ key, dataKey }: Session): Delivery {
  const raw = Buffer.from('raw');
  const meta = Buffer.from('meta');
  const plain = { dataKey, meta, raw: { sizeBytes: 3, pieces: () => [raw] } };
  return { key, sizeBytes: 3, meta, raw: [raw], plain };
}

/** Another connection, with many sessions that this puts into the file. */
function fillBeside(): Database.Database {
  const beside = new Database(file);
  onTestFinished(() => void beside.close());
  beside.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${knownMax})
    INSERT INTO sessions (key, token_hash, address, address_key, created_at, latest_end_at, quarantine_ms, key_slot)
      SELECT CAST(printf('%016d', i) AS BLOB), x'00', i, 'filler-' || i, 0, 9e15, 0, 1 FROM n;
    INSERT INTO session_states (session_id, expires_at)
      SELECT id, 9e15 FROM sessions WHERE address_key LIKE 'filler-%';
    INSERT INTO addresses (address_key, session_id) SELECT address_key, id FROM sessions
      WHERE address_key LIKE 'filler-%'`);
  return beside;
}

async function lookUpFillers(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++) await store.mail.findLiveSession(`filler-${number}`);
}

/** Delivers to the first; while the thread waits for the file its row leaves memory, and `readMeanwhile` is called. */
async function deliverAside(
  [session, ...others]: readonly [Session, ...Session[]],
  readMeanwhile: () => Promise<void>,
): Promise<DeliveryOutcome[]> {
  const beside = fillBeside();
  const fillers = knownMax - 1 - others.length;
  await lookUpFillers(1, fillers);
  beside.exec('BEGIN IMMEDIATE');
  const delivered = store.mail.deliver([deliveryOf(session)]);
  try {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(store.readFigures().waitingWrites).toBe(0);
    await lookUpFillers(fillers + 1, fillers + 1);
    await readMeanwhile();
  } finally {
    beside.exec('COMMIT');
  }
  return delivered;
}

it('is read anew: what was stored is seen, and the next message is stored', async () => {
  const [session, other] = [await create(), await create()];
  const delivered = await deliverAside([session, other], async () => {
    // The file says so still.
    expect(await store.mail.findLiveSession(session.address)).toMatchObject({ seq: 0, version: 0 });
    expect(news).toEqual([]);
  });
  expect(delivered).toMatchObject([{ outcome: 'stored', id: 1 }]);
  expect(store.mail.isAtEnd(session.key, 0)).toBe(false);
  expect(await store.mail.findSessionByKey(session.key)).toMatchObject({
    session: { seq: 1, version: 1, messageCount: 1, messageBytes: 3 },
  });
  expect(await store.mail.deliver([session, other].map(deliveryOf))).toMatchObject([
    { outcome: 'stored', id: 2 },
    { outcome: 'stored', id: 1 },
  ]);
  const listed = await store.mail.listMessages(session.key, { limit: 9, order: 'oldest-first' });
  expect(listed.map(({ id }) => id)).toEqual([1, 2]);
});

it('tells a reader who came meanwhile of the message, once it is on disk', async () => {
  const session = await create();
  let found: Promise<unknown> | undefined;
  await deliverAside([session], () => {
    found = store.mail.findSessionByKey(session.key);
    return Promise.resolve();
  });
  expect(await found).toMatchObject({ session: { seq: 1, version: 1 } });
});

it('refuses no message for what memory says of a session: the file is asked', async () => {
  const [session, other] = [await create(), await create()];
  const beside = new Database(file);
  onTestFinished(() => void beside.close());
  beside.exec('UPDATE session_states SET seq = 5, version = 5');
  expect(await store.mail.deliver([session, other].map(deliveryOf))).toMatchObject([
    { outcome: 'stored', id: 6 },
    { outcome: 'stored', id: 6 },
  ]);
  beside.exec('UPDATE session_states SET message_count = 10');
  expect(await store.mail.deliver([session, other].map(deliveryOf))).toEqual([
    { outcome: 'full' },
    { outcome: 'full' },
  ]);
});
