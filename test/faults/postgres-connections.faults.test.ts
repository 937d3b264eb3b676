// R5: the nodes' connections to the database are cut, or none are available. Events still arrive within two seconds,
// once and in order; requests that cannot be served are refused at once, and served when it is over.

import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { atMost, report, scaled } from '../support/faults/fault-scale.ts';
import { EventFollower, isComplete } from '../support/clients/follow-events.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/faults/ledger.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom } from '../support/random.ts';
import { memoryOf, useOnce } from '../support/faults/service-under-fault.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture({ settings: { max_connections: '40' } });
const cuts = scaled(3, 50);
const fullMs = scaled(3000, 60_000);

function portOf({ origin }: MayflyProcess): number {
  return Number(new URL(origin).port);
}

it('the listening connections cut repeatedly', { timeout: 600_000 }, async () => {
  const server = await postgres.server();
  const nodes = new PostgresNodes(await postgres.createUrl());
  const [one, other] = [await nodes.start(), await nodes.start()];
  const lent = await one.lend();
  const follower = new EventFollower(lent, () => portOf(other));
  const latencies: number[] = [];
  let sent = 0;
  const sendOne = async (): Promise<void> => {
    await useOnce(one, lent, '127.0.0.1');
    sent += 1;
    latencies.push(await timeUntil(() => isComplete(follower, sent), 60_000, 'the event comes'));
  };
  await sendOne();
  for (let cut = 0; cut < cuts; cut++) {
    const [cutResult] = await server.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mayfly' AND query ~ '^(LISTEN|SELECT 1$)'",
    );
    expect(cutResult?.rows.length).toBe(2);
    await sendOne();
    await sendOne();
    const isListening = async (): Promise<boolean> => {
      const [result] = await server.execute(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'mayfly' AND query ~ '^(LISTEN|SELECT 1$)'",
      );
      return result?.rows.length === 2;
    };
    await timeUntil(isListening, 60_000, 'both listen again');
  }
  await follower.close();
  report('R12 LISTEN cut', { cuts, events: sent, 'longest delay ms': Math.max(...latencies) });
  // Two seconds, plus a busy machine's delay.
  expect(Math.max(...latencies)).toBeLessThan(atMost(3000));
  expect(follower.breaks).toEqual([]);
  expect(one.log + other.log).not.toContain('"level":"error"');
});

it('every connection of the nodes cut under load', { timeout: 600_000 }, async () => {
  const server = await postgres.server();
  const nodes = new PostgresNodes(await postgres.createUrl());
  const node = await nodes.start();
  const ledgers = await openLedgers(node, 4);
  const followers = ledgers.map(({ lent }) => new EventFollower(lent, () => portOf(node)));
  let isOver = false;
  const sending = sendAll(node, ledgers, { random: createRandom(1), isOver: () => isOver, paceMs: 20 });
  for (let cut = 0; cut < 2 * cuts; cut++) {
    const enough = countAcknowledged(ledgers) + 10;
    await timeUntil(() => countAcknowledged(ledgers) >= enough, 60_000, 'mail is taken');
    await server.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mayfly'",
    );
  }
  isOver = true;
  await sending;
  for (const [at, ledger] of ledgers.entries()) {
    await expectWhole(node, ledger);
    const follower = followers[at]!;
    const stored = (await node.listMail(ledger.lent.token)).length;
    await timeUntil(() => isComplete(follower, stored), 60_000, 'every event came once and in order');
    await follower.close();
  }
  report('R5 connections cut', { cuts: 2 * cuts, acknowledged: countAcknowledged(ledgers), lost: 0 });
});

interface Others {
  /** Takes every available connection, the nodes' too. */
  takeAll(): Promise<void>;
  release(): Promise<void>;
}

async function startOthers(url: string): Promise<Others> {
  const taken: pg.Client[] = [];
  const takeOne = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url, application_name: 'others' });
    client.on('error', () => undefined);
    const [connected] = await Promise.allSettled([client.connect()]);
    if (connected.status === 'fulfilled') taken.push(client);
    return connected.status === 'fulfilled';
  };
  if (!(await takeOne())) throw new Error('Not a single connection is available.');
  const release = async (): Promise<void> => {
    await Promise.all(taken.splice(0).map((client) => client.end()));
  };
  onTestFinished(release);
  return {
    takeAll: async () => {
      while (await takeOne());
      await taken[0]?.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mayfly'",
      );
      while (await takeOne());
    },
    release,
  };
}

it('no available connection', { timeout: 600_000 }, async () => {
  const url = await postgres.createUrl();
  const node = await new PostgresNodes(url).start();
  const lent = await node.lend();
  await useOnce(node, lent, '127.0.0.1');
  const before = await memoryOf(node);
  const others = await startOthers(url);
  const untilAt = performance.now() + fullMs;
  let [refused, longestMs] = [0, 0];
  while (performance.now() < untilAt) {
    await others.takeAll();
    const askedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => node.call('/check-mail', lent.token)),
    );
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    for (const answer of answers) {
      expect([200, 503]).toContain(answer.status);
      if (answer.status === 503) {
        refused += 1;
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      await answer.text();
    }
    const client = await greet(node.smtpPort);
    expect(await sendMail(client, 'Subject: full\r\n\r\n', lent.email)).toMatch(/^(250|451 4\.3\.0) /);
    client.socket.destroy();
  }
  const during = await memoryOf(node);
  await others.release();
  const isServed = async (): Promise<boolean> => (await node.call('/check-mail', lent.token)).status === 200;
  const backMs = await timeUntil(isServed, atMost(5000), 'it is served again');
  await useOnce(node, lent, '127.0.0.1');
  report('R5 connections exhausted', {
    refused,
    'longest answer ms': Math.round(longestMs),
    'back ms': backMs,
    'RSS before MiB': before.now,
    'RSS meanwhile MiB': during.now,
  });
  expect(refused).toBeGreaterThan(0);
  expect(longestMs).toBeLessThan(atMost(10_000));
  expect(during.most).toBeLessThan(256);
  expect(node.isRunning).toBe(true);
});
