// Nodes on PostgreSQL with the usual proxies: pgbouncer before the database, HAProxy before two nodes, and a Postfix
// that knows both.

import { expect, it, onTestFinished } from 'vitest';

import { openStream } from '../support/clients/event-source.ts';
import { atMost } from '../support/faults/fault-scale.ts';
import { EventFollower, isComplete } from '../support/clients/follow-events.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/faults/ledger.ts';
import { startHaproxyOver } from '../support/servers/haproxy.ts';
import { startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { startPostfix } from '../support/servers/postfix-relay.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom } from '../support/random.ts';
import { connectTo, greet, sendMail } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();

it('pgbouncer in transaction mode: the whole path works, also when it crashes', async () => {
  const url = await postgres.createUrl();
  const bouncer = await startPgbouncer(url);
  const nodes = new PostgresNodes(bouncer.url, {
    MAYFLY_STORE_DIRECT_URL: url,
    MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1',
  });
  const [one, other] = [await nodes.start(), await nodes.start()];
  // Small and large ones, for group commits and for transactions of several statements.
  const ledgers = await openLedgers(one, 4);
  const followers = ledgers.map(
    ({ lent }) => new EventFollower(lent, () => Number(new URL(nodes.next().origin).port)),
  );
  const short = await one.lend({ lifetime: '1' });
  let isOver = false;
  const sending = sendAll(nodes.target, ledgers, {
    random: createRandom(8),
    isOver: () => isOver,
    paceMs: 20,
  });
  const takes = async (count: number): Promise<void> => {
    const enough = countAcknowledged(ledgers) + count;
    await timeUntil(() => countAcknowledged(ledgers) >= enough, 60_000, 'mail is taken');
  };
  await takes(60);
  await bouncer.restart();
  await takes(60);
  const client = await greet(one.smtpPort);
  const huge = `Subject: huge\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(40_000)}`;
  const lent = await other.lend();
  expect(await sendMail(client, huge, lent.email)).toMatch(/^250 /);
  expect((await other.rawMail(lent.token, 1)).length).toBeGreaterThan(huge.length);
  isOver = true;
  await sending;
  for (const [at, ledger] of ledgers.entries()) {
    await expectWhole(other, ledger);
    const follower = followers[at]!;
    const stored = (await one.listMail(ledger.lent.token)).length;
    await timeUntil(() => isComplete(follower, stored), 60_000, 'every event came once and in order');
    await follower.close();
  }
  // Ended by the sweep, under its lease.
  const state = async (): Promise<number> => (await other.call('/session', short.token)).status;
  await timeUntil(async () => (await state()) === 410, 60_000, 'a session ends');
  expect(one.log + other.log).not.toMatch(
    /prepared statement|"level":"(?:error|fatal)","event":"(?!store\.)/,
  );
  for (const node of [one, other]) expect(await node.stop()).toBe(0);
}, 240_000);

it('HAProxy before two nodes: mail with its sender, streams, and a node that dies', async () => {
  const nodes = new PostgresNodes(await postgres.createUrl(), {
    MAYFLY_SMTP_PROXY_ADDRESSES: '127.0.0.1',
    MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1',
  });
  const [one, other] = [await nodes.start(), await nodes.start()];
  const smtpPort = await startHaproxyOver([one.smtpPort, other.smtpPort], 'smtp');
  const httpPorts = [one, other].map(({ origin }) => Number(new URL(origin).port));
  const httpPort = await startHaproxyOver(httpPorts, 'http');
  const lent = await one.lend();
  const follower = new EventFollower(lent, () => httpPort);
  const send = async (): Promise<boolean> => {
    const client = await connectTo(smtpPort);
    const [reply] = await Promise.allSettled([
      client
        .readReply()
        .then(() => client.command('EHLO client.test'))
        .then(() => sendMail(client, 'Subject: x\r\n\r\n', lent.email)),
    ]);
    client.socket.destroy();
    return reply.status === 'fulfilled' && reply.value.startsWith('250 ');
  };
  for (let count = 1; count <= 4; count++) expect(await send()).toBe(true);
  await timeUntil(() => isComplete(follower, 4), 60_000, 'the events come');
  // A stream on each node, so that one of them breaks.
  const streams = [];
  for (let count = 0; count < 2; count++) {
    streams.push(await openStream({ port: httpPort }, { token: lent.token, query: 'after=0' }));
  }
  expect(streams.map(({ response }) => response.statusCode)).toEqual([200, 200]);
  await one.stop('SIGKILL');
  const isAnswered = async (): Promise<boolean> => {
    const [answer] = await Promise.allSettled([fetch(`http://127.0.0.1:${httpPort}/healthz`)]);
    return answer.status === 'fulfilled' && answer.value.status === 200;
  };
  await timeUntil(isAnswered, 60_000, 'it answers');
  await timeUntil(send, 60_000, 'mail is taken');
  const stored = await other.listMail(lent.token);
  await timeUntil(() => isComplete(follower, stored.length), 60_000, 'the events go on');
  for (const ms of follower.breaks) expect(ms).toBeLessThan(atMost(3000));
  await follower.close();
  expect(await other.stop()).toBe(0);
}, 240_000);

it('Postfix that knows both nodes delivers all its mail although one dies, and acknowledged mail only once', async () => {
  const nodes = new PostgresNodes(await postgres.createUrl());
  const [one, other] = [await nodes.start(), await nodes.start()];
  const relay = await startPostfix(one.smtpPort, {
    smtp_fallback_relay: `[127.0.0.1]:${other.smtpPort}`,
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
    queue_run_delay: '1s',
  });
  onTestFinished(() => relay.close());
  const lent = await one.lend();
  const subjects = Array.from({ length: 120 }, (_, at) => `number ${at}`);
  const storedSubjects = async (): Promise<string[]> =>
    (await other.listMail(lent.token)).map(({ subject }) => subject);
  const client = await greet(relay.port);
  for (const [at, subject] of subjects.entries()) {
    expect(await sendMail(client, `Subject: ${subject}\r\n\r\nText.\r\n`, lent.email)).toMatch(/^250 /);
    if (at !== 60) continue;
    await timeUntil(async () => (await storedSubjects()).length >= 20, 60_000, 'mail is relayed');
    await one.stop('SIGKILL');
  }
  const isThere = async (): Promise<boolean> => new Set(await storedSubjects()).size === subjects.length;
  await timeUntil(isThere, 60_000, 'everything has arrived');
  const stored = await storedSubjects();
  expect([...new Set(stored)].sort()).toEqual([...subjects].sort());
  // Postfix reports when it did not get a reply: only then may a message be there twice.
  const unsure =
    (await relay.readLog()).match(/lost connection .* while sending (?:end of data|message body)/g) ?? [];
  expect(stored.length - subjects.length).toBeLessThanOrEqual(unsure.length);
}, 240_000);
