// R12: one of two nodes at a time is killed under load and restarted. Senders and clients go to the other one: nothing
// acknowledged is lost or doubled, streams resume within three seconds with every event once and in order, and each
// event's webhook arrives under one id.

import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { withConnection } from '#postgres/connections';
import { atMost, isFull, report, scaled } from '../support/faults/fault-scale.ts';
import { EventFollower, isComplete } from '../support/clients/follow-events.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/faults/ledger.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const postgres = usePostgresFixture();
const seed = fuzzSeed();
const kills = scaled(2, 20);
const intervalMs = scaled(2500, 15_000);

/** Counts reported events, each by one id however often. */
function countWebhooks({ received }: WebhookSink): { readonly events: number; readonly ids: number } {
  const reported = received.map(
    ({ content: { data } }) => `${String(data['session'])} ${String(data['seq'])}`,
  );
  return {
    events: new Set(reported).size,
    ids: new Set(received.map(({ headers }) => headers['webhook-id'])).size,
  };
}

it(`${kills} kills of nodes under load (FUZZ_SEED=${seed})`, { timeout: 1_200_000 }, async () => {
  const sink = await startSink();
  const url = await postgres.createUrl();
  const nodes = new PostgresNodes(url, {
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
    MAYFLY_WEBHOOKS_QUEUE_PER_ENDPOINT_MAX: '0',
  });
  await nodes.start();
  await nodes.start();
  const ledgers = await openLedgers(nodes.at(0), 8);
  const followers = ledgers.map(
    ({ lent }) => new EventFollower(lent, () => Number(new URL(nodes.next().origin).port)),
  );
  let isOver = false;
  const sending = sendAll(nodes.target, ledgers, {
    random: createRandom(seed),
    isOver: () => isOver,
    paceMs: scaled(50, 400),
  });
  for (let kill = 0; kill < kills; kill++) {
    const restartedAt = performance.now();
    await delay(intervalMs / 2);
    await nodes.at(kill % 2).stop('SIGKILL');
    const before = countAcknowledged(ledgers);
    await timeUntil(() => countAcknowledged(ledgers) > before, 60_000, 'the other node takes mail');
    await nodes.start({}, kill % 2);
    await delay(Math.max(0, restartedAt + intervalMs - performance.now()));
  }
  isOver = true;
  await sending;
  let stored = 0;
  for (const [at, ledger] of ledgers.entries()) {
    const follower = followers[at]!;
    await expectWhole(nodes.next(), ledger);
    const count = (await nodes.next().listMail(ledger.lent.token)).length;
    stored += count;
    await timeUntil(() => isComplete(follower, count), 60_000, 'every event came once and in order');
    await follower.close();
  }
  // A killed node's leases are taken over when they expire, half a minute later: the short form advances the
  // database's clock.
  if (!isFull) {
    const turnOn = 'UPDATE mayfly.outbox SET next_at = 0 WHERE next_at > 0';
    await withConnection(url, (client) => client.query(turnOn));
  }
  await timeUntil(() => countWebhooks(sink).events === stored, 60_000, 'every webhook arrives');
  const breaks = followers.flatMap((follower) => follower.breaks);
  report('R12 kills', {
    kills,
    acknowledged: countAcknowledged(ledgers),
    lost: 0,
    'breaks of streams': breaks.length,
    'longest break ms': Math.max(...breaks),
    'webhooks repeated': sink.received.length - stored,
  });
  expect(countWebhooks(sink)).toEqual({ events: stored, ids: stored });
  expect(breaks.length).toBeGreaterThanOrEqual(kills);
  expect(Math.max(...breaks)).toBeLessThan(atMost(3000));
});
