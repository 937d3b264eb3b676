// R16: twenty minutes of everyday load: mail of all kinds, sessions that begin and end, readers that list, read and
// delete, streams that come and go, a webhook endpoint that fails every fifth time. Nothing acknowledged is lost, no
// error is logged, and neither memory nor descriptors nor files grow once they have levelled off.

import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { report, scaled } from '../support/faults/fault-scale.ts';
import { unlimited } from '../support/faults/ledger.ts';
import { timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { memoryOf, startUnderFault } from '../support/faults/service-under-fault.ts';
import { runSoakLoad } from '../support/faults/soak-load.ts';
import { SoakMailboxes } from '../support/faults/soak-mailboxes.ts';
import { countFiles, lateShare, readLoopLag, SoakWatch, waitedShare } from '../support/faults/soak-watch.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const seed = fuzzSeed();
/** SOAK_SECONDS lengthens it, for example before a release. */
const seconds = scaled(12, Number(process.env['SOAK_SECONDS'] ?? 1200));
const mailboxesAtOnce = scaled(6, 60);
/** How long a mailbox is in use; on a busy machine its turn comes later. */
const inUseMs = scaled(4000, 120_000);
const lifetimeSeconds = scaled(30, 300);
const streams = scaled(20, 200);
/** The growth allowed in the second half, MiB: within seconds memory has not levelled off yet. */
const growthMaxMib = scaled(96, 16);
const walMaxMib = 128;
/**
 * At most one of a hundred event-loop samples is later than this, in seconds. That is only meaningful if the service
 * has a processor when it needs one; if it waits for more than a twentieth of the time, the bound is a second.
 */
const lagMaxSeconds = 0.05;
const busyShare = 0.05;
const busyLagMaxSeconds = 1;

/** Every fifth event fails at its first attempt; records by `session seq` which messages were reported. */
async function startFailingSink(): Promise<{ readonly sink: WebhookSink; readonly reported: Set<string> }> {
  const sink = await startSink();
  const [reported, failed] = [new Set<string>(), new Set<string>()];
  let requests = 0;
  sink.answer = ({ headers, content: { type, data } }, response) => {
    requests += 1;
    sink.received.length = 0;
    const id = String(headers['webhook-id']);
    const fails = requests % 5 === 0 && !failed.has(id);
    if (fails) failed.add(id);
    else if (type === 'message.received') reported.add(`${String(data['session'])} ${String(data['seq'])}`);
    response.writeHead(fails ? 500 : 204).end();
  };
  return { sink, reported };
}

it(`${seconds} s of everyday load (FUZZ_SEED=${seed})`, { timeout: (2 * seconds + 600) * 1000 }, async () => {
  const { sink, reported } = await startFailingSink();
  const dataDir = await useDataFolder();
  const mayfly = await startUnderFault(
    {
      ...unlimited,
      MAYFLY_ADMIN_PORT: '0',
      MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1',
      MAYFLY_LIVE_STREAMS_PER_SESSION_MAX: '0',
      MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
      MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
      MAYFLY_WEBHOOKS_QUEUE_PER_ENDPOINT_MAX: '0',
    },
    dataDir,
  );
  const random = createRandom(seed);
  const mailboxes = new SoakMailboxes({ mayfly, random, count: mailboxesAtOnce, lifetimeSeconds });
  await mailboxes.fill();
  const filesBefore = await countFiles(mayfly);
  const watch = new SoakWatch(mayfly, dataDir);
  let isOver = false;
  const load = runSoakLoad({
    mayfly,
    mailboxes,
    random,
    streams,
    isOver: () => isOver,
    senders: 8,
    readers: 8,
    paceMs: 250,
  });
  const until = async (): Promise<void> => {
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      await delay(inUseMs / mailboxesAtOnce);
      await mailboxes.replaceOldest();
      await watch.look();
    }
  };
  const lagBefore = await readLoopLag(mayfly);
  const ended = until().finally(() => (isOver = true));
  const [figures] = await Promise.all([load, ended]);
  const lag = await readLoopLag(mayfly);
  await mailboxes.finish();
  const { acknowledged, ...others } = mailboxes.figures;
  await timeUntil(() => reported.size === acknowledged, 120_000, 'every message was reported');
  const isLeft = async (): Promise<boolean> => (await countFiles(mayfly)) <= filesBefore + 10;
  await timeUntil(isLeft, 90_000, 'no descriptor is left of all that');

  const late = lateShare(lagBefore, lag, lagMaxSeconds);
  const waited = waitedShare(lagBefore, lag);
  const percent = (share: number): number => Math.round(share * 10_000) / 100;
  report('R16 soak', {
    seconds,
    acknowledged,
    lost: 0,
    ...others,
    ...figures,
    'RSS MiB at half': watch.median('rssMib', 5, 6),
    'RSS MiB at the end': watch.median('rssMib', 9, 10),
    'most RSS MiB': (await memoryOf(mayfly)).most,
    'descriptors at half': watch.median('files', 5, 6),
    'descriptors at the end': watch.median('files', 9, 10),
    'descriptors before and after': `${filesBefore} and ${await countFiles(mayfly)}`,
    'database MiB at half': watch.median('databaseMib', 5, 6),
    'database MiB at the end': watch.median('databaseMib', 9, 10),
    'most WAL MiB': watch.most('walMib'),
    'loop later than 50 ms, %': percent(late),
    'later than 250 ms, %': percent(lateShare(lagBefore, lag, 0.25)),
    'later than 1 s, %': percent(lateShare(lagBefore, lag, busyLagMaxSeconds)),
    'waited for a processor, %': percent(waited),
  });
  expect(acknowledged).toBeGreaterThan(scaled(1, 5) * seconds);
  expect(watch.growth('rssMib')).toBeLessThan(growthMaxMib);
  expect(watch.growth('files')).toBeLessThan(scaled(60, 30));
  // The live data varies by this much: every fortieth message has 400 KB.
  expect(watch.growth('databaseMib')).toBeLessThan(Math.max(16, watch.median('databaseMib', 5, 6) / 4));
  expect(watch.most('walMib')).toBeLessThan(walMaxMib + 64);
  if (waited < busyShare) expect(late).toBeLessThan(0.01);
  expect(lateShare(lagBefore, lag, busyLagMaxSeconds)).toBeLessThan(0.01);
  expect(mayfly.log).toBe('');
  expect(await mayfly.stop()).toBe(0);
});
