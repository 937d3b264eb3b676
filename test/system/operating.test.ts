// Operator commands on the built service: keys, the operator's listener, sessions, block lists and their effect on
// SMTP, effective settings, and unusable data folders.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';
import { connectGreeted, greet } from '../support/smtp/smtp-client.ts';

async function lines(folder: string, ...words: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await runMayfly(folder, words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

async function create(mayfly: MayflyProcess, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(`${mayfly.origin}/create-session`, { method: 'POST', headers })).status;
}

describe('API keys', () => {
  it('created before the start and while it runs open create-session; a revoked one no longer does', async () => {
    const folder = await useDataFolder();
    const [early = ''] = await lines(folder, 'key', 'add', 'early');
    const mayfly = await useMayfly(folder, { MAYFLY_HTTP_API_KEY_REQUIRED: 'on' });
    const [late = '', message] = await lines(
      folder,
      'key',
      'add',
      'late',
      '--scope',
      'create',
      '--rate',
      '2',
    );
    expect(message).toBe('Key late for create. It is shown only once and stored nowhere.');
    expect(await create(mayfly)).toBe(401);
    expect(await create(mayfly, { 'x-api-key': early })).toBe(200);
    expect([
      await create(mayfly, { 'x-api-key': late }),
      await create(mayfly, { 'x-api-key': late }),
    ]).toEqual([200, 200]);
    expect(await create(mayfly, { 'x-api-key': late })).toBe(429);
    expect(await lines(folder, 'key', 'revoke', 'early')).toEqual(['Key early is revoked.']);
    expect(await create(mayfly, { 'x-api-key': early })).toBe(401);
    expect(mayfly.log).not.toMatch(/mfk_[A-Za-z0-9_-]{20}/);
    expect(await mayfly.stop()).toBe(0);
    const table = (await lines(folder, 'key', 'list')).map((line) => line.split(/ {2,}/));
    expect(table.map(([name, kind, scopes, rate, uses]) => [name, kind, scopes, rate, uses])).toEqual([
      ['NAME', 'KIND', 'SCOPES', 'RATE', 'USES'],
      ['early', 'caller', 'create,gmail,webhook,capture', 'usual', '1'],
      ['late', 'caller', 'create', '2/min', '3'],
    ]);
  });
});

describe('the operator’s listener', () => {
  it('is off by default, and with a port serves page, metrics and admin interface', async () => {
    const folder = await useDataFolder();
    const [key = ''] = await lines(folder, 'key', 'add', 'ops', '--admin');
    const off = await startMayfly(folder);
    expect(off.adminOrigin).toBeUndefined();
    await off.stop();
    const mayfly = await useMayfly(folder, {
      MAYFLY_ADMIN_PORT: '0',
      MAYFLY_HTTP_CHALLENGE_SECRET: 'x'.repeat(40),
    });
    const origin = mayfly.adminOrigin ?? '';
    expect((await fetch(`${origin}/admin`)).status).toBe(200);
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain('mayfly_');
    expect((await fetch(`${origin}/admin/status`)).status).toBe(401);
    const settings = await fetch(`${origin}/admin/settings`, { headers: { authorization: `Bearer ${key}` } });
    const text = await settings.text();
    expect((JSON.parse(text) as { settings: unknown }).settings).toContainEqual({
      name: 'MAYFLY_HTTP_CHALLENGE_SECRET',
      value: '(set)',
      source: 'environment',
      file: null,
    });
    expect(text).not.toContain('xxxx');
  });
});

describe('sessions', () => {
  it('are found and ended by address', async () => {
    const folder = await useDataFolder();
    const mayfly = await useMayfly(folder);
    const { token } = await mayfly.lend({ prefix: 'fox' });
    const found = await lines(folder, 'session', 'find', 'FO');
    expect(found.slice(0, 2).join('\n')).toMatch(
      /^1 session is live\.\nADDRESS +MADE +ENDS +MESSAGES +BYTES$/,
    );
    expect(found[2]).toMatch(/^fox@mayfly\.test /);
    expect(await lines(folder, 'session', 'end', 'fox@mayfly.test')).toEqual([
      'The session of fox@mayfly.test has ended.',
    ]);
    expect((await mayfly.call('/check-mail', token)).status).toBe(410);
    const again = await runMayfly(folder, ['session', 'end', 'fox@mayfly.test']);
    expect([again.status, again.stderr]).toEqual([
      1,
      'mayfly: No live session has the address "fox@mayfly.test".\n',
    ]);
  });
});

describe('block lists', () => {
  it('refuse a sender at MAIL and a network at once, from when they are added until they are lifted', async () => {
    const folder = await useDataFolder();
    const mayfly = await useMayfly(folder);
    const greet = async () => {
      return connectGreeted(mayfly.smtpPort);
    };
    expect(await lines(folder, 'block', 'add', 'sender', 'Spam.Example', '--note', 'since May')).toEqual([
      'The sender spam.example is blocked.',
    ]);
    const { client } = await greet();
    await client.command('EHLO client.test');
    expect(await client.command('MAIL FROM:<x@mail.spam.example>')).toContain(
      '550 5.7.1 Mail from this sender is refused here',
    );
    expect(await client.command('MAIL FROM:<>')).toContain('250 2.1.0');
    client.socket.destroy();
    await lines(folder, 'block', 'add', 'network', '127.0.0.0/8');
    expect((await greet()).greeting).toContain('554 5.7.1 Mail from your network is refused here');
    expect(await create(mayfly)).toBe(403);
    await lines(folder, 'block', 'remove', 'network', '127.0.0.1/8');
    expect((await greet()).greeting).toMatch(/220 /);
    expect((await lines(folder, 'block', 'list')).at(-1)).toMatch(
      /^sender +spam\.example +\S+ \S+ +since May$/,
    );
  });
});

it('domain check reports what it can without a name server, and when mail last arrived', async () => {
  const folder = await useDataFolder();
  const mayfly = await useMayfly(folder);
  const { email } = await mayfly.lend();
  expect((await lines(folder, 'domain', 'check', 'mayfly.test')).at(-1)).toBe(
    'mail   warning  None has arrived yet.',
  );
  const client = await greet(mayfly.smtpPort);
  await client.deliver('Subject: x\r\n\r\n', email);
  client.socket.destroy();
  const table = await lines(folder, 'domain', 'check', 'mayfly.test');
  expect(table[1]).toContain('MAYFLY_DNS_SERVERS is none');
  expect(table.at(-1)).toMatch(/^mail +ok +Last arrived \d{4}-/);
  await mayfly.stop();
  expect((await lines(folder, 'domain', 'check', 'mayfly.test')).at(-1)).toMatch(/Last arrived/);
});

it('settings lists every setting, where it comes from, and no secret', async () => {
  const folder = await useDataFolder();
  const secret = `whsec_${'A'.repeat(40)}`;
  const { stdout } = await runMayfly(folder, ['settings'], {
    MAYFLY_WEBHOOKS_SECRET: secret,
    MAYFLY_WEBHOOKS_URL: 'https://me:hidden@a.example/hook?key=hidden',
  });
  expect(stdout).toMatch(/^MAYFLY_WEBHOOKS_SECRET +\(set\) +environment$/m);
  expect(stdout).toMatch(/^MAYFLY_WEBHOOKS_URL +\(set\) +environment$/m);
  expect(stdout).toMatch(/^MAYFLY_HTTP_PORT +0 +environment$/m);
  expect(stdout).not.toMatch(/hidden|AAAA/);
});

describe('an unusable data folder', () => {
  async function refusal(folder: string): Promise<string> {
    const { status, stdout, stderr } = await runMayfly(folder, ['serve']);
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(/^mayfly: [^\n]+\n$/);
    return stderr;
  }

  it.each([
    ['a newer Mayfly', 9999, 'it was written by a newer version'],
    ['a build before the first release', 17, 'No release reads it: begin with an empty store.'],
  ])('written by %s is reported, and left unchanged', async (_, version, reason) => {
    const folder = await useDataFolder();
    await lines(folder, 'domain', 'list');
    const database = new Database(path.join(folder, 'mayfly.db'));
    database.pragma(`user_version = ${version}`);
    database.close();
    expect(await refusal(folder)).toContain(reason);
  });

  it('with a foreign store is reported', async () => {
    const folder = await useDataFolder();
    await writeFile(
      path.join(folder, 'mayfly.db'),
      'This is no database, and long enough to be taken for one.'.repeat(20),
    );
    expect(await refusal(folder)).toContain('The store');
  });

  it('that is a file, or whose lock cannot be written, is reported', async () => {
    const folder = await useDataFolder();
    await writeFile(path.join(folder, 'file'), '');
    expect(await refusal(path.join(folder, 'file'))).toContain('cannot be used');
    await mkdir(path.join(folder, 'locked', 'mayfly.lock'), { recursive: true });
    await chmod(path.join(folder, 'locked'), 0o500);
    expect(await refusal(path.join(folder, 'locked'))).toContain('cannot be used');
  });
});
