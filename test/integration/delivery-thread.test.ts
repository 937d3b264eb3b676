// Deliveries through the thread that seals and writes them: what is stored is what the service's own thread would have
// stored, and what goes wrong with one of them, or with the thread, costs nothing that was acknowledged.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { RawMessage } from '../../src/domain/message.ts';
import type { Session } from '../../src/domain/session.ts';
import { openSealed } from '../../src/secrets/seal.mjs';
import { SessionDelivery } from '../../src/service/session-delivery.ts';
import { openRaw } from '../../src/service/sealed-raw.ts';
import { MessageBuffer } from '../../src/smtp/message-buffer.ts';
import { operatorEndpointId } from '../../src/store/jobs-store.ts';
import type { DeliveryOutcome } from '../../src/store/mail-store.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-store.ts';
import { noObserver } from '../../src/store/store-observer.ts';
import { createRandom, freshSeed } from '../support/random.ts';
import { sha256 } from '../support/sent-mails.ts';
import { createLive } from '../contract/store-fixture.ts';

const realSealer = new URL('../../src/secrets/seal-delivery.mjs', import.meta.url);

interface Seen {
  readonly broken: Error[];
  readonly unavailable: Error[];
  /** Writes in each commit. */
  readonly commits: number[];
  rollbacks: number;
}

async function open(options: Partial<SqliteStoreOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-thread-'));
  const file = path.join(folder, 'mayfly.db');
  const clock = { now: Date.UTC(2026, 0, 1) };
  const seen: Seen = { broken: [], unavailable: [], commits: [], rollbacks: 0 };
  const store = openSqliteStore({
    file,
    quota: { messages: Infinity, bytes: Infinity },
    onBroken: (error) => seen.broken.push(error),
    clock: () => clock.now,
    sealer: realSealer,
    observer: {
      ...noObserver,
      onCommit: (_, writes) => seen.commits.push(writes),
      onRollback: () => {
        seen.rollbacks += 1;
      },
      onThreadUnavailable: (error) => seen.unavailable.push(error),
    },
    ...options,
  });
  onTestFinished(async () => {
    await store.mail.close();
    await rm(folder, { recursive: true, force: true });
  });
  await store.startThread();
  const session = (): Promise<Session> => createLive({ ...store, clock: { now: () => clock.now } } as never);
  return { store, mail: store.mail, session, seen, clock, file };
}

/** In pieces of so many bytes, as they came from the network. */
function toRaw(bytes: Buffer, pieceBytes = 1460): RawMessage {
  const raw = new MessageBuffer();
  for (let at = 0; at < bytes.length; at += pieceBytes) raw.append(bytes.subarray(at, at + pieceBytes));
  return raw;
}

function deliveryOf(session: Session, bytes: Buffer, meta = 'meta'): SessionDelivery {
  return new SessionDelivery(session, { meta: Buffer.from(meta), raw: toRaw(bytes), origin: undefined });
}

type Opened = Awaited<ReturnType<typeof open>>;

/** All at once: they share a batch. */
async function deliverAll(
  { mail }: Opened,
  deliveries: readonly SessionDelivery[],
): Promise<(DeliveryOutcome['outcome'] | Error)[]> {
  const settled = await Promise.allSettled(deliveries.map((delivery) => mail.deliver([delivery])));
  return settled.map((one) =>
    one.status === 'fulfilled' ? (one.value[0]?.outcome ?? new Error('no outcome')) : (one.reason as Error),
  );
}

async function readAll({ mail }: Opened, session: Session): Promise<{ meta: string; raw: Buffer }[]> {
  const stored = await mail.listMessages(session.key, { limit: 1000, order: 'oldest-first' });
  return Promise.all(
    stored.map(async ({ id, meta }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of openRaw(mail, session, id)) chunks.push(chunk);
      return { meta: openSealed(session.dataKey, 'meta', meta).toString(), raw: Buffer.concat(chunks) };
    }),
  );
}

function toSums({ meta, raw }: { meta: string; raw: Buffer }): string {
  return `${meta} ${raw.length} ${sha256(raw)}`;
}

async function writeSealer(text: string): Promise<URL> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-sealer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'sealer.mjs');
  await writeFile(file, `import { sealDelivery as seal } from '${realSealer.href}';\n${text}`);
  return pathToFileURL(file);
}

describe('what is delivered', () => {
  const seed = freshSeed();

  it(`is read back whole, sealed under its session’s key, whatever its size and pieces (FUZZ_SEED=${seed})`, async () => {
    const opened = await open();
    const random = createRandom(seed);
    const sessions = [await opened.session(), await opened.session(), await opened.session()] as const;
    const sizes = [0, 1, 7, 8, 4096, 65_537, 262_143, 262_144, 262_145, 700_000, 1_048_576];
    const sent = sessions.map(() => [] as { meta: string; raw: Buffer }[]);
    const deliveries: SessionDelivery[] = [];
    for (let round = 0; round < 60; round++) {
      const to = random.below(3);
      const mail = {
        meta: `meta ${round} ${'é'.repeat(random.below(40))}`,
        raw: random.bytes(random.pick(sizes)),
      };
      const raw = toRaw(mail.raw, 1 + random.below(5000));
      sent[to]?.push(mail);
      deliveries.push(
        new SessionDelivery(sessions[to] as Session, {
          ...{ meta: Buffer.from(mail.meta), raw, origin: undefined },
        }),
      );
    }
    const ids = await Promise.all(deliveries.map((delivery) => opened.mail.deliver([delivery])));
    expect(ids.every(([one]) => one?.outcome === 'stored')).toBe(true);
    for (const [at, session] of sessions.entries()) {
      expect((await readAll(opened, session)).map(toSums)).toEqual(sent[at]?.map(toSums));
    }
    expect(opened.seen).toMatchObject({ broken: [], unavailable: [], rollbacks: 0 });
  });

  it('is answered with the numbers under which it is found, in the order of delivery', async () => {
    const opened = await open();
    const session = await opened.session();
    const numbers = Array.from({ length: 50 }, (_, at) => at + 1);
    const outcomes = await Promise.all(
      numbers.map((at) => opened.mail.deliver([deliveryOf(session, Buffer.from(`${at}`))])),
    );
    const receivedAt = opened.clock.now;
    expect(outcomes).toEqual(numbers.map((id) => [{ outcome: 'stored', id, receivedAt }]));
    expect((await readAll(opened, session)).map(({ raw }) => raw.toString())).toEqual(numbers.map(String));
    expect(opened.seen.commits.at(-1)).toBe(50);
  });

  it('is not answered before it is committed', async () => {
    const opened = await open();
    const session = await opened.session();
    const other = new Database(opened.file);
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN IMMEDIATE');
    let isAnswered = false;
    const delivered = opened.mail.deliver([deliveryOf(session, Buffer.from('late'))]).then((outcomes) => {
      isAnswered = true;
      return outcomes;
    });
    await delay(300);
    expect(isAnswered).toBe(false);
    other.exec('COMMIT');
    expect(await delivered).toMatchObject([{ outcome: 'stored', id: 1 }]);
  });

  it('finds its session ended or full as it would otherwise, and its neighbours do not', async () => {
    const opened = await open({ quota: { messages: 3, bytes: 1000 } });
    const [ending, due, filled, heavy, live] = [
      await opened.session(),
      await opened.session(),
      await opened.session(),
      await opened.session(),
      await opened.session(),
    ];
    await opened.mail.extendSession(due.key, 7_200_000);
    const ended = opened.mail.endSession(ending.key);
    const small = Buffer.from('x');
    const outcomes = await deliverAll(opened, [
      deliveryOf(ending, small),
      ...Array.from({ length: 5 }, () => deliveryOf(filled, small)),
      deliveryOf(heavy, Buffer.alloc(900)),
      deliveryOf(heavy, Buffer.alloc(101)),
      deliveryOf(heavy, Buffer.alloc(100)),
      deliveryOf(live, small),
    ]);
    expect(await ended).toBe(true);
    expect(outcomes).toEqual([
      'ended',
      ...['stored', 'stored', 'stored', 'full', 'full'],
      ...['stored', 'full', 'stored'],
      'stored',
    ]);
    for (const [session, count, bytes] of [
      [filled, 3, 3],
      [heavy, 2, 1000],
      [live, 1, 1],
    ] as const) {
      expect(await readAll(opened, session)).toHaveLength(count);
      expect(await opened.mail.findSessionByKey(session.key)).toMatchObject({
        session: { messageCount: count, messageBytes: bytes },
      });
    }
    opened.clock.now += 3_600_001;
    expect(await deliverAll(opened, [deliveryOf(live, small), deliveryOf(due, small)])).toEqual([
      'ended',
      'stored',
    ]);
  });

  it('is written by the service’s thread while somebody wants to be told by webhook', async () => {
    const opened = await open({ outbox: { operator: true, sessions: false, rowsPerEndpoint: 100 } });
    const session = await opened.session();
    await deliverAll(opened, [deliveryOf(session, Buffer.from('told'))]);
    const due = await opened.store.jobs.leaseDue({
      leaseMs: 1000,
      shares: [{ endpointId: operatorEndpointId, rows: 10 }],
    });
    expect(due.map(({ kind }) => kind)).toContain('message.received');
  });

  it('leaves room for what is in no hurry, and for what is', async () => {
    const opened = await open();
    const session = await opened.session();
    await deliverAll(opened, [deliveryOf(session, Buffer.from('first'))]);
    const notes = { glance: false, read: false };
    const noted = Promise.all([
      opened.mail.keepGlance(session.key, 1, Buffer.from('glance')).then(() => (notes.glance = true)),
      opened.mail.markRead(session.key, 1).then(() => (notes.read = true)),
    ]);
    const until = performance.now() + 20_000;
    while (!(notes.glance && notes.read) && performance.now() < until) {
      await deliverAll(opened, [deliveryOf(session, Buffer.from('more'))]);
    }
    await noted;
    expect(notes).toEqual({ glance: true, read: true });
    const first = await opened.mail.findMessage(session.key, 1);
    expect(first).toMatchObject({ isRead: true, glance: Buffer.from('glance') });
  });

  it('comes into a backup that is made meanwhile', async () => {
    const opened = await open();
    const session = await opened.session();
    await deliverAll(opened, [deliveryOf(session, Buffer.alloc(900_000))]);
    let isMade = false;
    const made = opened.store.copy.make().finally(() => {
      isMade = true;
    });
    let count = 1;
    while (!isMade) {
      await deliverAll(opened, [deliveryOf(session, Buffer.from('meanwhile'))]);
      count += 1;
    }
    const copy = new Database((await made).file, { readonly: true });
    const stored = copy.prepare('SELECT count(*) FROM messages').pluck().get() as number;
    copy.close();
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThanOrEqual(count);
    expect(await readAll(opened, session)).toHaveLength(count);
  });
});

describe('when something goes wrong', () => {
  it('a message that cannot be read fails alone', async () => {
    const opened = await open();
    const session = await opened.session();
    const torn = deliveryOf(session, Buffer.from('torn'));
    const failing = new SessionDelivery(session, {
      meta: Buffer.from('meta'),
      raw: {
        ...{ sizeBytes: 10, head: () => Buffer.alloc(0), release: () => undefined },
        *pieces() {
          yield Buffer.from('first');
          throw new Error('poisoned');
        },
      },
      origin: undefined,
    });
    const outcomes = await deliverAll(opened, [torn, failing, deliveryOf(session, Buffer.from('last'))]);
    expect(outcomes).toEqual(['stored', new Error('poisoned'), 'stored']);
    expect((await readAll(opened, session)).map(({ raw }) => raw.toString())).toEqual(['torn', 'last']);
  });

  it('a batch that fails is rolled back, and each of it is tried alone by the service’s thread', async () => {
    const sealer = await writeSealer(`export function sealDelivery(plain, chunkBytes) {
      if (plain.meta.toString() === 'poison') throw new Error('Not this one.');
      return seal(plain, chunkBytes);
    }`);
    const opened = await open({ sealer });
    const session = await opened.session();
    const metas = ['a', 'poison', 'c'];
    const outcomes = await deliverAll(
      opened,
      metas.map((meta) => deliveryOf(session, Buffer.from(`raw ${meta}`), meta)),
    );
    expect(outcomes).toEqual(['stored', 'stored', 'stored']);
    expect(opened.seen).toMatchObject({ rollbacks: 1, broken: [] });
    expect(await readAll(opened, session)).toEqual(
      metas.map((meta) => ({ meta, raw: Buffer.from(`raw ${meta}`) })),
    );
    expect(await deliverAll(opened, [deliveryOf(session, Buffer.from('on'))])).toEqual(['stored']);
  });

  it('a thread that ends with a batch leaves nobody acknowledged and the store broken', async () => {
    const sealer = await writeSealer(`export function sealDelivery(plain, chunkBytes) {
      if (plain.meta.toString() === 'end') process.exit(3);
      return seal(plain, chunkBytes);
    }`);
    const opened = await open({ sealer });
    const session = await opened.session();
    expect(await deliverAll(opened, [deliveryOf(session, Buffer.from('first'))])).toEqual(['stored']);
    const outcomes = await deliverAll(opened, [
      deliveryOf(session, Buffer.from('lost'), 'end'),
      deliveryOf(session, Buffer.from('lost')),
    ]);
    expect(outcomes).toEqual([expect.any(Error), expect.any(Error)]);
    expect(opened.seen.broken).toEqual([new Error('The thread for deliveries ended.')]);
  });

  it('a thread that cannot be had is done without', async () => {
    const opened = await open({ sealer: new URL('./no-such-sealer.mjs', import.meta.url) });
    const session = await opened.session();
    const outcomes = await deliverAll(
      opened,
      Array.from({ length: 20 }, (_, at) => deliveryOf(session, Buffer.from(`${at}`))),
    );
    expect(outcomes.every((outcome) => outcome === 'stored')).toBe(true);
    expect(opened.seen.unavailable).toHaveLength(1);
    expect(await readAll(opened, session)).toHaveLength(20);
  });
});
