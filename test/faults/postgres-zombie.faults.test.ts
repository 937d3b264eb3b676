// R12: a node that holds every lease is stopped in the middle of its work and continues after another has taken over.
// Its late results are discarded: nothing is reported, fetched or ended twice, and its own responses stay valid.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { startDovecot } from '../support/gmail/dovecot.ts';
import { atMost, isFull, report } from '../support/faults/fault-scale.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import { type Lent, type MayflyProcess, runMayfly } from '../support/service/mayfly-process.ts';
import { arrivedMail } from '../support/gmail/polled-account.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { useOnce } from '../support/faults/service-under-fault.ts';
import { greet, type SmtpClient } from '../support/smtp/smtp-client.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

const postgres = usePostgresFixture();
const account = 'quietfox@gmail.com';
/** Counted from the holder's stop, plus a moment for the test to look. */
const takeoverMaxMs = 15_500;

/** Creates an account that both nodes may poll, on the test's own IMAP server. */
async function startMailbox(url: string) {
  const dovecot = await startDovecot({ hasAllMail: true });
  onTestFinished(() => dovecot.close());
  const folder = await useDataFolder();
  const [keyFile, passwordFile] = [path.join(folder, 'secret.key'), path.join(folder, 'password')];
  await writeFile(keyFile, `${randomBytes(32).toString('hex')}\n`);
  await writeFile(passwordFile, `${imapPassword}\n`);
  const settings = { MAYFLY_SECRET_KEY_FILE: keyFile };
  const place = ['--host', '127.0.0.1', '--port', String(dovecot.port), '--security', 'none'];
  const words = ['gmail', 'add', account, '--password-file', passwordFile, ...place];
  const added = await runMayfly(await useDataFolder(), words, { MAYFLY_STORE_URL: url, ...settings });
  expect(added).toMatchObject({ status: 0, stderr: '' });
  const client = await dovecot.connect(account);
  return {
    settings,
    arrive: (alias: string, subject: string) => client.append('All Mail', arrivedMail(alias, subject)),
  };
}

/** Sends a message except for its end. */
async function sendAllButTheEnd(node: MayflyProcess, { email }: Lent): Promise<SmtpClient> {
  const client = await greet(node.smtpPort);
  await client.startData(email);
  client.send('Subject: late\r\n\r\nText.\r\n');
  return client;
}

async function subjectsOf(node: MayflyProcess, { token }: Lent): Promise<string[]> {
  return (await node.listMail(token)).map(({ subject }) => subject);
}

it('a node stopped with every lease, and its return', { timeout: 600_000 }, async () => {
  const server = await postgres.server();
  const url = await postgres.createUrl();
  const database = new URL(url).pathname.slice(1);
  const ask = async <Row>(statement: string): Promise<Row[]> =>
    (await server.executeIn(database, statement)).flatMap(({ rows }) => rows as Row[]);
  const leases = () =>
    ask<{ name: string; epoch: number; holder: string }>(
      'SELECT name, epoch::int, holder FROM mayfly.leases ORDER BY name',
    );
  const mailbox = await startMailbox(url);
  const sink = await startSink();
  const nodes = new PostgresNodes(url, {
    ...mailbox.settings,
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
    MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1',
  });

  // A single node, in the middle of a webhook, of two messages, and of polling.
  const zombie = await nodes.start();
  const isHealthy = async (): Promise<boolean> =>
    (await ask("SELECT 1 FROM mayfly.gmail_accounts WHERE health = 'healthy'")).length === 1;
  await timeUntil(isHealthy, 60_000, 'the account is polled');
  const [plain, ended, alias] = [
    await zombie.lend(),
    await zombie.lend(),
    await zombie.lend({ use_gmail: '1' }),
  ];
  await mailbox.arrive(alias.email, 'first');
  await timeUntil(async () => (await subjectsOf(zombie, alias)).length === 1, 60_000, 'it polls');
  await timeUntil(() => sink.received.length === 1, 60_000, 'it tells');
  const held: ServerResponse[] = [];
  const well = sink.answer;
  sink.answer = (_received, response) => held.push(response);
  await useOnce(zombie, plain, '127.0.0.1');
  await timeUntil(() => held.length === 1, 60_000, 'a webhook is under way');
  const late = [await sendAllButTheEnd(zombie, plain), await sendAllButTheEnd(zombie, ended)];
  // Ends after the node is stopped, however slow that is.
  const due = await zombie.lend({ lifetime: '8' });
  const before = await leases();
  expect(before.map(({ name }) => name)).toEqual(['gmail:1', 'sweep']);
  zombie.child.kill('SIGSTOP');
  const stoppedAt = performance.now();
  sink.answer = well;
  for (const client of late) client.send('.\r\n');

  // Another node takes over. The short form advances the database's clock.
  const other = await nodes.start();
  if (!isFull) {
    await ask('UPDATE mayfly.leases SET until = 0');
    await ask('UPDATE mayfly.outbox SET next_at = 0 WHERE next_at > 0');
  }
  const isTaken = async (): Promise<boolean> =>
    (await leases()).every(({ epoch, holder }, at) => epoch > before[at]!.epoch && holder !== '');
  const [underWay] = sink.received.slice(-1).map(({ headers }) => headers['webhook-id']);
  const isResent = (): boolean =>
    sink.received.filter(({ headers }) => headers['webhook-id'] === underWay).length === 2;
  const leftMs = atMost(takeoverMaxMs) - (performance.now() - stoppedAt);
  await Promise.all([
    timeUntil(isTaken, leftMs, 'the leases are taken over'),
    timeUntil(isResent, leftMs, 'the webhook in progress is sent again'),
  ]);
  const takeoverMs = Math.round(performance.now() - stoppedAt);
  await mailbox.arrive(alias.email, 'second');
  await timeUntil(async () => (await subjectsOf(other, alias)).length === 2, 60_000, 'the other polls');
  const deletion = await fetch(`${other.origin}/end-session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ended.token}` },
  });
  expect(deletion.status).toBeLessThan(300);
  const kinds = (): string[] => sink.received.map(({ content }) => content.type).sort();
  const received = ['message.received', 'message.received', 'message.received', 'message.received'];
  await timeUntil(() => kinds().length >= 6, 60_000, 'the other tells');
  expect(kinds()).toEqual([...received, 'session.expired', 'session.expired']);
  const taken = await leases();

  // The zombie continues as if nothing had happened.
  zombie.child.kill('SIGCONT');
  held[0]?.writeHead(204).end();
  expect(await late[0]?.readReply()).toMatch(/^250 /);
  expect(await late[1]?.readReply()).toMatch(/^[45]\d\d /);
  await mailbox.arrive(alias.email, 'third');
  // For a moment it takes its sleep for load.
  const isReady = async (): Promise<boolean> => (await zombie.call('/readyz')).status === 200;
  await timeUntil(isReady, 60_000, 'it is ready again');
  for (const node of [zombie, other]) await useOnce(node, plain, '127.0.0.1');
  await timeUntil(async () => (await subjectsOf(zombie, alias)).length === 3, 60_000, 'mail is polled on');
  await timeUntil(() => kinds().length >= 10, 60_000, 'everything is sent');
  expect(await subjectsOf(other, alias)).toEqual(['first', 'second', 'third']);
  expect(await subjectsOf(other, plain)).toEqual(['in use', 'late', 'in use', 'in use']);
  expect((await zombie.call('/session', ended.token)).status).toBe(410);
  expect((await zombie.call('/session', due.token)).status).toBe(410);
  // Until the zombie has tried to renew every lease, and once more.
  await delay(4000);
  expect(await leases()).toEqual(taken);
  expect(await ask('SELECT 1 FROM mayfly.outbox')).toEqual([]);
  // The webhook in progress at the stop was sent twice, under one id; everything else once.
  const ids = sink.received.map(({ headers }) => headers['webhook-id']);
  expect(sink.received).toHaveLength(10);
  expect(new Set(ids).size).toBe(9);
  expect(zombie.log).not.toContain('"level":"error"');
  for (const node of [zombie, other]) expect(await node.stop()).toBe(0);
  report('R12 zombie', {
    'all taken over ms': takeoverMs,
    doubled: 0,
  });
});
