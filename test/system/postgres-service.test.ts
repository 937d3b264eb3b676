// The built service on PostgreSQL, as an operator meets it: starting and failing to start, roles, several nodes,
// outages.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { useNodeFolder } from '../support/postgres/postgres-nodes.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { connectGreeted } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();

async function startNode(url: string, settings: Record<string, string> = {}): Promise<MayflyProcess> {
  const node = await startMayfly(await useNodeFolder(url), { MAYFLY_STORE_URL: url, ...settings });
  onTestFinished(async () => {
    await node.stop('SIGKILL');
  });
  return node;
}

/** Returns the reply to a message, or to the command that was refused before it. */
async function send(node: MayflyProcess, email: string, subject = 'hello'): Promise<string> {
  const { client, greeting } = await connectGreeted(node.smtpPort);
  if (!greeting.startsWith('220')) return greeting;
  await client.command('EHLO client.test');
  const from = await client.command('MAIL FROM:<sender@client.test>');
  if (!from.startsWith('250')) return from;
  const to = await client.command(`RCPT TO:<${email}>`);
  if (!to.startsWith('250')) return to;
  await client.command('DATA');
  client.send(`Subject: ${subject}\r\n\r\nText.\r\n.\r\n`);
  return client.readReply();
}

describe('an impossible start', () => {
  it.each([
    ['an address where nothing listens', 'postgres://mayfly:s3cret@127.0.0.1:1/mayfly', 'nothing listens'],
    ['a host that is not known', 'postgres://mayfly:s3cret@nowhere.invalid/mayfly', 'host'],
  ])('on %s is reported in one line without the password', async (_, url, said) => {
    const { status, stdout, stderr } = await runMayfly(await useDataFolder(), ['serve'], {
      MAYFLY_STORE_URL: url,
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^mayfly: The store cannot be opened: [^\n]+\n$/);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('s3cret');
  });

  it('says that a database is missing, or that the schema is newer', async () => {
    const url = await postgres.createUrl();
    const server = await postgres.server();
    const database = new URL(url).pathname.slice(1);
    const refusal = async (changed: string) =>
      runMayfly(await useDataFolder(), ['serve'], { MAYFLY_STORE_URL: changed });
    const missing = await refusal(`${url}_missing`);
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringContaining('there is no such database'),
    ]);
    await server.executeIn(
      database,
      'CREATE SCHEMA mayfly',
      'CREATE TABLE mayfly.migrations (version integer)',
      'INSERT INTO mayfly.migrations VALUES (9000)',
    );
    // Trying again is pointless, as with a newer SQLite file.
    const newer = await refusal(url);
    expect(newer.status).toBe(78);
    expect(newer.stderr).toMatch(/^mayfly: The store cannot be opened: The store has schema 9000, [^\n]+\n$/);
  });
});

describe('nodes on one database', () => {
  it('accept mail on one and wake a reader who waits on another', async () => {
    const url = await postgres.createUrl();
    const [one, other] = [await startNode(url), await startNode(url)];
    const { email, token } = await one.lend();
    const waiting = other.call('/wait-mail?timeout=60', token);
    expect(await send(one, email, 'from afar')).toMatch(/^250/);
    const answer = await waiting;
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain('from afar');
    expect(await other.checkMail(token)).toMatchObject([{ id: 1, subject: 'from afar' }]);
    expect((await other.rawMail(token, 1)).toString()).toContain('Text.');
    expect(await one.stop()).toBe(0);
    expect(await send(other, email, 'second')).toMatch(/^250/);
    expect(await other.checkMail(token)).toHaveLength(2);
  });

  it('act by their roles', async () => {
    const url = await postgres.createUrl();
    const web = await startNode(url, { MAYFLY_ROLES: 'http' });
    expect(web.smtpPort).toBeNaN();
    const { email, token } = await web.lend();
    const both = await startNode(url, { MAYFLY_ROLES: 'smtp,http' });
    expect(await send(both, email)).toMatch(/^250/);
    expect(await web.checkMail(token)).toHaveLength(1);
    expect(await both.stop()).toBe(0);
    expect(await web.stop()).toBe(0);
  });

  it('have one server.key: a node with another is refused in one line until the operator gives way to it', async () => {
    const url = await postgres.createUrl();
    const settings = { MAYFLY_STORE_URL: url };
    const one = await startNode(url);
    const { email, token } = await one.lend({ password: 'correct horse battery' });
    expect(await send(one, email)).toMatch(/^250/);
    const stranger = await useDataFolder();
    const refusal = async (): Promise<unknown> => {
      const { status, stdout, stderr } = await runMayfly(stranger, ['serve'], settings);
      // The warning is of the test's server.
      const [line = '', ...others] = stderr.split('\n').filter((one) => !one.includes('store.warning'));
      expect(others).toEqual(['']);
      return [status, stdout, line.replaceAll(stranger, 'FOLDER').split('. ')[0]];
    };
    expect(await refusal()).toEqual([
      78,
      '',
      'mayfly: FOLDER/server.key, with which the store is used, is missing',
    ]);
    await writeFile(path.join(stranger, 'server.key'), randomBytes(32));
    expect(await refusal()).toEqual([
      78,
      '',
      'mayfly: FOLDER/server.key is not the one with which the store is used',
    ]);
    expect(await runMayfly(stranger, ['server-key', 'forget'], settings)).toMatchObject({
      status: 0,
      stderr: '',
    });
    const other = await startMayfly(stranger, settings);
    onTestFinished(async () => {
      await other.stop('SIGKILL');
    });
    const reopen = async ({ origin }: MayflyProcess): Promise<number> => {
      const body = new URLSearchParams({ email, password: 'correct horse battery' });
      return (await fetch(`${origin}/reopen-session`, { method: 'POST', body })).status;
    };
    expect(await Promise.all([reopen(one), reopen(other)])).toEqual([200, 401]);
    expect(await other.checkMail(token)).toHaveLength(1);
    const restarted = await runMayfly(await useNodeFolder(url), ['serve'], settings);
    expect(restarted).toMatchObject({ status: 78, stdout: '' });
  });

  it('have one set of domains, changed by the command on any of them', async () => {
    const url = await postgres.createUrl();
    const folder = await useDataFolder();
    const node = await startNode(url);
    const added = await runMayfly(folder, ['domain', 'add', 'later.test'], { MAYFLY_STORE_URL: url });
    expect(added).toMatchObject({ status: 0, stderr: '' });
    const names = async (): Promise<string> => (await node.call('/domains')).text();
    for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
      if ((await names()).includes('later.test')) break;
      await delay(50);
    }
    expect(await names()).toContain('later.test');
  });
});

it('mail to postmaster is listed, shown and removed by the command, on any machine', async () => {
  const url = await postgres.createUrl();
  const node = await startNode(url, { MAYFLY_DOMAINS: 'mayfly.test' });
  for (const subject of ['first', 'second']) {
    expect(await send(node, 'postmaster@mayfly.test', subject)).toMatch(/^250/);
  }
  const folder = await useDataFolder();
  const mailbox = async (...words: string[]): Promise<string> => {
    const { stdout, stderr } = await runMayfly(folder, ['mailbox', ...words], { MAYFLY_STORE_URL: url });
    return stdout + stderr;
  };
  expect(await mailbox('list')).toMatch(
    /^ID +RECEIVED +BYTES +FROM +SUBJECT\n2 +new +\S+ \S+ +\d+ .*second\n1 +new .*first\n$/,
  );
  expect(await mailbox('show', '1')).toMatch(/^Return-Path: [^]+Subject: first\n\nText\.\n$/);
  expect(await mailbox('list')).toMatch(/\n2 +new .*\n1 {2,}\d/);
  expect(await mailbox('remove', '1')).toBe('Message 1 is removed.\n');
  expect(await mailbox('show', '1')).toBe('mayfly: No message begins with 1.\n');
  expect(await mailbox('remove', '2')).toBe('Message 2 is removed.\n');
  expect(await mailbox('list')).toBe('No mail to postmaster or abuse.\n');
  const [usage] = await (
    await postgres.server()
  ).executeIn(
    new URL(url).pathname.slice(1),
    'SELECT messages::int, bytes::int FROM mayfly.operator_mailbox',
  );
  expect(usage?.rows).toEqual([{ messages: 0, bytes: 0 }]);
});

describe('an outage of the database', () => {
  it('is 451 to senders, 503 to clients and on /readyz, and over soon after its end', async () => {
    const url = await postgres.createUrl();
    const server = await postgres.server();
    const node = await startNode(url);
    const { email, token } = await node.lend();
    expect(await send(node, email)).toMatch(/^250/);
    await server.stop('immediate');
    try {
      expect(await send(node, email)).toMatch(/^451/);
      const answer = await node.call('/check-mail', token);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await answer.json()).toMatchObject({ code: 'unavailable' });
      expect((await node.call('/healthz')).status).toBe(200);
      const ready = await node.call('/readyz');
      expect(ready.status).toBe(503);
      expect(await ready.text()).toContain('the database does not answer');
    } finally {
      await server.start();
    }
    const backAt = performance.now();
    while ((await node.call('/readyz')).status !== 200) {
      expect(performance.now() - backAt).toBeLessThan(60_000);
      await delay(50);
    }
    expect(await send(node, email)).toMatch(/^250/);
    expect(await node.checkMail(token)).toHaveLength(2);
    expect(node.isRunning).toBe(true);
    expect(await node.stop()).toBe(0);
  });
});

describe('serve --processes', () => {
  async function startTwo(url: string, folder?: string): Promise<MayflyProcess> {
    const node = await startMayfly(
      folder ?? (await useDataFolder()),
      { MAYFLY_STORE_URL: url },
      { words: ['--processes', '2'] },
    );
    onTestFinished(async () => {
      await node.stop();
    });
    return node;
  }

  function workersOf(node: MayflyProcess): number[] {
    const output = execFileSync('ps', ['-o', 'pid=', '--ppid', String(node.child.pid)]).toString();
    return output.trim().split(/\s+/).filter(Boolean).map(Number);
  }

  it('serves the command line, also once its first process was restarted', async () => {
    const [url, folder] = [await postgres.createUrl(), await useDataFolder()];
    const node = await startTwo(url, folder);
    // Without a response from the socket it would need the folder, which is locked.
    const list = () => runMayfly(folder, ['domain', 'list'], { MAYFLY_STORE_URL: url });
    expect(await list()).toMatchObject({ status: 0, stderr: '' });
    process.kill(workersOf(node)[0] ?? 0, 'SIGKILL');
    await expect.poll(async () => (await list()).status).toBe(0);
    expect(await node.stop()).toBe(0);
  });

  it('runs this many on the same ports, restarts one that died, and ends with them', async () => {
    const node = await startTwo(await postgres.createUrl());
    const workers = workersOf(node);
    expect(workers).toHaveLength(2);
    const { email, token } = await node.lend();
    for (let count = 1; count <= 4; count++) expect(await send(node, email)).toMatch(/^250/);
    process.kill(workers[1] ?? 0, 'SIGKILL');
    const isWhole = (): boolean => workersOf(node).filter((pid) => !workers.includes(pid)).length === 1;
    for (const deadline = performance.now() + 60_000; !isWhole(); await delay(50)) {
      expect(performance.now()).toBeLessThan(deadline);
    }
    expect(await node.checkMail(token)).toHaveLength(4);
    expect(await node.stop()).toBe(0);
  });

  it('is refused on a SQLite file', async () => {
    const ended = await runMayfly(await useDataFolder(), ['serve', '--processes', '2']);
    expect(ended).toEqual({
      status: 78,
      stdout: '',
      stderr: 'mayfly: --processes needs PostgreSQL: a SQLite file belongs to one process.\n',
    });
  });
});
