// R5: PostgreSQL crashes repeatedly under load, and is away for a minute. What was acknowledged is there once and
// every event arrived once and in order; requests meanwhile are refused soon; memory stays flat.

import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { atMost, report, scaled } from '../support/faults/fault-scale.ts';
import { EventFollower, isComplete } from '../support/clients/follow-events.ts';
import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
} from '../support/faults/ledger.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { memoryOf } from '../support/faults/service-under-fault.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();
const seed = fuzzSeed();
const restarts = scaled(2, 30);
const intervalMs = scaled(1500, 20_000);
const awayMs = scaled(3000, 60_000);

interface Running {
  readonly node: MayflyProcess;
  readonly ledgers: Ledger[];
  readonly followers: EventFollower[];
  /** Resolves when the senders have ended. */
  finish(): Promise<void>;
}

/** Starts a node with eight senders and a stream of each session. */
async function startUnderLoad(): Promise<Running> {
  const node = await new PostgresNodes(await postgres.createUrl()).start();
  const ledgers = await openLedgers(node, 4);
  const port = Number(new URL(node.origin).port);
  const followers = ledgers.map(({ lent }) => new EventFollower(lent, () => port));
  let isOver = false;
  const random = createRandom(seed);
  const sending = sendAll(node, ledgers, { random, isOver: () => isOver, paceMs: scaled(50, 400) });
  return {
    node,
    ledgers,
    followers,
    finish: () => {
      isOver = true;
      return sending;
    },
  };
}

async function expectAllThere({ node, ledgers, followers }: Running): Promise<void> {
  for (const [at, ledger] of ledgers.entries()) {
    await expectWhole(node, ledger);
    const stored = (await node.listMail(ledger.lent.token)).length;
    const follower = followers[at]!;
    await timeUntil(() => isComplete(follower, stored), 60_000, 'every event came once and in order');
    await follower.close();
  }
}

it(`${restarts} crashes of PostgreSQL under load (FUZZ_SEED=${seed})`, { timeout: 1_200_000 }, async () => {
  const server = await postgres.server();
  const running = await startUnderLoad();
  const recoveries: number[] = [];
  for (let round = 0; round < restarts; round++) {
    await delay(intervalMs);
    await server.stop('immediate');
    await server.start();
    const before = countAcknowledged(running.ledgers);
    const hasMore = (): boolean => countAcknowledged(running.ledgers) > before;
    recoveries.push(await timeUntil(hasMore, 60_000, 'mail is taken again'));
  }
  await delay(500);
  await running.finish();
  await expectAllThere(running);
  const acknowledged = countAcknowledged(running.ledgers);
  report('R5 crashes', { restarts, acknowledged, lost: 0, 'longest recovery ms': Math.max(...recoveries) });
  expect(acknowledged).toBeGreaterThan(scaled(1, 20) * restarts);
  expect(Math.max(...recoveries)).toBeLessThan(atMost(5000));
  expect(running.node.isRunning).toBe(true);
});

/** Response times for a sender and a reader while the database was away, ms. */
interface Waits {
  readonly mail: number[];
  readonly reads: number[];
}

async function askOnce(node: MayflyProcess, lent: Lent, waits: Waits): Promise<void> {
  let askedAt = performance.now();
  const client = await greet(node.smtpPort);
  expect(await sendMail(client, 'Subject: away\r\n\r\n', lent.email)).toMatch(/^451 4\.3\.0 /);
  waits.mail.push(performance.now() - askedAt);
  client.socket.destroy();
  askedAt = performance.now();
  const answer = await node.call('/check-mail', lent.token);
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  await answer.text();
  waits.reads.push(performance.now() - askedAt);
  expect((await node.call('/healthz')).status).toBe(200);
  expect((await node.call('/readyz')).status).toBe(503);
}

it(`PostgreSQL away for ${awayMs / 1000} s under load`, { timeout: 600_000 }, async () => {
  const server = await postgres.server();
  const running = await startUnderLoad();
  const { node, ledgers } = running;
  await timeUntil(() => countAcknowledged(ledgers) >= 40, 60_000, 'the load is there');
  const before = await memoryOf(node);
  const waits: Waits = { mail: [], reads: [] };
  await server.stop('immediate');
  let during = before;
  try {
    // Requests in progress at the outage may wait for it.
    await delay(200);
    const backAt = performance.now() + awayMs;
    while (performance.now() < backAt) {
      await askOnce(node, ledgers[0]!.lent, waits);
      await delay(100);
    }
    during = await memoryOf(node);
  } finally {
    await server.start();
  }
  const isReady = async (): Promise<boolean> => (await node.call('/readyz')).status === 200;
  const readyMs = await timeUntil(isReady, atMost(5000), 'it is ready again');
  const taken = countAcknowledged(ledgers);
  const mailMs = await timeUntil(
    () => countAcknowledged(ledgers) > taken,
    atMost(5000),
    'mail is taken again',
  );
  await running.finish();
  await expectAllThere(running);
  report('R5 away', {
    seconds: awayMs / 1000,
    'longest 451 ms': Math.round(Math.max(...waits.mail)),
    'longest 503 ms': Math.round(Math.max(...waits.reads)),
    'back ms': readyMs + mailMs,
    'RSS before MiB': before.now,
    'RSS meanwhile MiB': during.now,
  });
  expect(Math.max(...waits.mail)).toBeLessThan(atMost(10_000));
  expect(during.most).toBeLessThan(256);
});
