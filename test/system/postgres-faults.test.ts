// The PostgreSQL store when the connection breaks at the worst moment, or the database itself stops.

import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { MayflyError } from '../../src/domain/mayfly-error.ts';
import type { Session } from '../../src/domain/session.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { deliveryOf, newSession, poisonedDeliveryOf } from '../contract/store-fixture.ts';
import { throughPort, usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';

const postgres = usePostgresFixture();
const large = Array.from({ length: 3 }, (_, at) => Buffer.alloc(200_000, at));

async function lend({ mail }: PostgresStore): Promise<Session> {
  const session = await mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

async function idsOf({ mail }: PostgresStore, { key }: Session): Promise<number[]> {
  const messages = await mail.listMessages(key, { limit: 100_000, order: 'oldest-first' });
  return messages.map(({ id }) => id);
}

async function openThroughProxy() {
  const url = await postgres.createUrl();
  const proxy = await startTcpProxy(Number(new URL(url).port));
  const store = await postgres.openNode(throughPort(url, proxy.port), { directUrl: url, isPrepared: false });
  return { store, proxy };
}

async function refusalOf(work: Promise<unknown>): Promise<MayflyError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MayflyError);
  expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  return error as MayflyError;
}

async function untilStored(store: PostgresStore, session: Session): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    try {
      const [outcome] = await store.mail.deliver([deliveryOf(session)]);
      expect(outcome).toMatchObject({ outcome: 'stored' });
      return;
    } catch (error) {
      expect(error).toMatchObject({ code: 'unavailable' });
      if (performance.now() - startedAt > 60_000) throw error;
      await delay(50);
    }
  }
}

describe('a commit whose response is lost', () => {
  it('is detected, and every message is there once', async () => {
    const { store, proxy } = await openThroughProxy();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => lend(store)));
    for (let round = 1; round <= 20; round++) {
      proxy.cutAnswerTo('mayfly.deliver');
      const outcomes = await Promise.all(
        sessions.map((session) => store.mail.deliver([deliveryOf(session, `round ${round}`)])),
      );
      expect(outcomes.flat().map((outcome) => 'id' in outcome && outcome.id)).toEqual(
        sessions.map(() => round),
      );
    }
    expect(proxy.cuts).toBe(20);
    for (const session of sessions) {
      expect(await idsOf(store, session)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    }
  });

  it.each(['COMMIT', 'mayfly.deliver'])('is detected for a large message, cut at %s', async (said) => {
    const { store, proxy } = await openThroughProxy();
    const session = await lend(store);
    for (let round = 1; round <= 3; round++) {
      proxy.cutAnswerTo(said);
      expect(await store.mail.deliver([deliveryOf(session, large)])).toMatchObject([{ id: round }]);
    }
    expect(proxy.cuts).toBe(3);
    expect(await idsOf(store, session)).toEqual([1, 2, 3]);
  });

  it('stores nothing twice when the first attempt reaches the database after the second', async () => {
    const { store, proxy } = await openThroughProxy();
    const session = await lend(store);
    proxy.hold('mayfly.deliver');
    expect(await store.mail.deliver([deliveryOf(session)])).toMatchObject([{ id: 1 }]);
    await proxy.forwardHeld();
    expect(await idsOf(store, session)).toEqual([1]);
    expect(await store.mail.deliver([deliveryOf(session)])).toMatchObject([{ id: 2 }]);
  });

  it('creates a session once', async () => {
    const { store, proxy } = await openThroughProxy();
    await lend(store);
    const given = newSession();
    proxy.cutAnswerTo('mayfly.create_session');
    const created = await store.mail.createSession(given);
    expect(created).toMatchObject({ address: given.address });
    expect(await store.mail.findSession(given.tokenHash)).toMatchObject({ state: 'live', session: created });
  });
});

describe('a lost database', () => {
  it('is reported within ten seconds, and used again after its return', async () => {
    const server = await postgres.server();
    const store = await postgres.openNode(await postgres.createUrl());
    const session = await lend(store);
    await server.stop('immediate');
    try {
      await refusalOf(store.mail.deliver([deliveryOf(session)]));
      await refusalOf(store.mail.findSessionByKey(session.key));
      await refusalOf(store.mail.deliver([deliveryOf(session, large)]));
      expect(store.isReachable()).toBe(false);
      const refusals = Array.from({ length: 30_000 }, () =>
        refusalOf(store.mail.deliver([deliveryOf(session)])),
      );
      await Promise.all(refusals);
    } finally {
      await server.start();
    }
    await untilStored(store, session);
    expect(store.isReachable()).toBe(true);
    expect(await idsOf(store, session)).toEqual([1]);
  });

  it('is reported within ten seconds when it only hangs', async () => {
    const server = await postgres.server();
    const store = await postgres.openNode(await postgres.createUrl());
    const session = await lend(store);
    const signalAll = (signal: string): void => {
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)]).toString();
      const pids = [server.pid, ...children.trim().split(/\s+/).map(Number)];
      for (const pid of pids) process.kill(pid, signal);
    };
    signalAll('SIGSTOP');
    try {
      await Promise.all([
        refusalOf(store.mail.deliver([deliveryOf(session)])),
        refusalOf(store.mail.findSessionByKey(session.key)),
      ]);
    } finally {
      signalAll('SIGCONT');
    }
    await untilStored(store, session);
    // The hanging statement may have been committed after all; the message is there at most once.
    expect((await idsOf(store, session)).length).toBeLessThanOrEqual(2);
  });

  it('loses nothing acknowledged and doubles nothing over restarts under load', async () => {
    const server = await postgres.server();
    const store = await postgres.openNode(await postgres.createUrl());
    const sessions = await Promise.all(Array.from({ length: 8 }, () => lend(store)));
    let isOver = false;
    const senders = sessions.map(async (session) => {
      const acknowledged: number[] = [];
      let failed = 0;
      while (!isOver) {
        try {
          const [outcome] = await store.mail.deliver([deliveryOf(session)]);
          if (outcome?.outcome === 'stored') acknowledged.push(outcome.id);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unavailable' });
          failed += 1;
          await delay(100);
        }
      }
      return { session, acknowledged, failed };
    });
    for (let round = 0; round < 3; round++) {
      await delay(700);
      await server.stop('immediate');
      await server.start();
    }
    await delay(1000);
    isOver = true;
    for (const { session, acknowledged, failed } of await Promise.all(senders)) {
      const ids = await idsOf(store, session);
      expect(new Set(acknowledged).size).toBe(acknowledged.length);
      expect(ids).toEqual(expect.arrayContaining(acknowledged));
      expect(ids.length).toBeLessThanOrEqual(acknowledged.length + failed);
    }
  });

  it('lets a poisoned delivery fail alone while others wait with it', async () => {
    const store = await postgres.openNode(await postgres.createUrl(), { writesExpected: () => 3 });
    const sessions = await Promise.all(Array.from({ length: 3 }, () => lend(store)));
    const settled = await Promise.allSettled(
      sessions.map((session, at) =>
        // Detected only when the group is formed; the contract covers a failing generator.
        store.mail.deliver([at === 1 ? { ...deliveryOf(session), sizeBytes: 0.5 } : deliveryOf(session)]),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(store.mail.deliver([poisonedDeliveryOf(sessions[0]!)])).rejects.toThrow('poisoned');
  });
});
