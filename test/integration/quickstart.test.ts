// `mayfly quickstart --print`, which writes everything into a folder, on any system and without rights.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, inject, it, onTestFinished } from 'vitest';

import { type Finished, runProgram } from '../support/servers/run-program.ts';

async function useFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-quickstart-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function quickstart(...args: string[]): Promise<Finished> {
  return runProgram(process.execPath, [path.join(inject('buildDir'), 'main.js'), 'quickstart', ...args]);
}

it('writes settings, units, command and zone, and a script that puts them in their places', async () => {
  const folder = await useFolder();
  const { status, stdout, stderr } = await quickstart(
    ...['example.org', '--yes', '--print', folder, '--address', '192.0.2.1', '--address', '2001:db8::1'],
    ...['--host', 'mx.example.org', '--set', 'MAYFLY_HTTP_TRUSTED_PROXIES=127.0.0.1,::1'],
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('etc/mayfly/example.org.zone');
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
  const settings = await read('etc/mayfly/mayfly.env');
  expect(settings.split('\n').slice(1)).toEqual([
    'MAYFLY_DOMAINS=example.org',
    'MAYFLY_SMTP_HOSTNAME=mx.example.org',
    'MAYFLY_HTTP_PUBLIC_URL=https://mx.example.org',
    'MAYFLY_HTTP_TLS=acme',
    'MAYFLY_SMTP_MTA_STS=testing',
    'MAYFLY_ADMIN_PORT=8081',
    'MAYFLY_HTTP_TRUSTED_PROXIES=127.0.0.1,::1',
    '',
  ]);
  const zone = await read('etc/mayfly/example.org.zone');
  expect(zone).toMatch(/^mx\.example\.org\. +300 IN AAAA 2001:db8::1$/m);
  expect((await readdir(path.join(folder, 'etc/systemd/system'))).sort()).toEqual([
    ...['mayfly-backup.service', 'mayfly-backup.timer', 'mayfly-http.socket', 'mayfly-redirect.socket'],
    ...['mayfly-smtp.socket', 'mayfly.service'],
  ]);
  expect(await read('etc/systemd/system/mayfly.service')).toMatch(
    /^ExecStart=\/\S+\/node \/\S+\/bin\/mayfly\.mjs serve$/m,
  );
  expect(await read('usr/local/bin/mayfly')).toContain('exec runuser -u mayfly');
  for (const script of ['setup.sh', 'etc/mayfly/cloudflare.sh', 'usr/local/bin/mayfly']) {
    expect((await runProgram('sh', ['-n', path.join(folder, script)])).stderr).toBe('');
  }
});

it.each([
  [
    ['example', '--yes', '--address', '192.0.2.1'],
    /"example" is not a name of the Internet, as the domain must be/,
  ],
  [['example.org', '--yes', '--address', '1.2.3'], /"1\.2\.3" is not a public address/],
  [['example.org', '--yes', '--address', '2001:db8::1%eth0'], /is not a public address/],
  [
    ['example.org', '--yes', '--address', '192.0.2.1', '--set', 'MAYFLY_ACME_DIRECTORY=ca'],
    /MAYFLY_ACME_DIRECTORY is not a URL: "ca"/,
  ],
  [
    ['example.org', '--yes', '--address', '192.0.2.1', '--set', 'MAYFLY_SMTP_MESSAGE_MAX_BYTES=none'],
    /MAYFLY_SMTP_MESSAGE_MAX_BYTES must be .*, but is "none"/,
  ],
  [
    ['example.org', '--yes', '--address', '192.0.2.1', '--set', 'MAYFLY_SMTP_HOSTNAM=x'],
    /MAYFLY_SMTP_HOSTNAM is not a setting; did you mean MAYFLY_SMTP_HOSTNAME\?/,
  ],
  [['example.org', '--yes', '--address', '10.0.0.1'], /"10\.0\.0\.1" is not a public address/],
  [['example.org', '--yes', '--address', '192.0.2.1', '--set', 'x'], /--set takes NAME=VALUE/],
  [['example.org', '--yes', '--address', '192.0.2.1', '--set', "A=it's"], /without an apostrophe/],
  [['example.org'], /There is no terminal to ask in: give --yes/],
])('refuses %j in one line', async (args, reason) => {
  const { status, stderr } = await quickstart(...args, '--print', await useFolder());
  expect(status).toBe(64);
  expect(stderr).toMatch(reason);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

it('takes a domain in its own script, and writes it as DNS has it', async () => {
  const folder = await useFolder();
  const { status } = await quickstart(
    'B\u00fccher.example',
    '--yes',
    '--address',
    '192.0.2.1',
    '--print',
    folder,
  );
  expect(status).toBe(0);
  const zone = await readFile(path.join(folder, 'etc/mayfly/xn--bcher-kva.example.zone'), 'utf8');
  expect(zone).toMatch(/^mail\.xn--bcher-kva\.example\. +300 IN A +192\.0\.2\.1$/m);
});

it('says in one line why it cannot write', async () => {
  const file = path.join(await useFolder(), 'file');
  await writeFile(file, '');
  const { status, stderr } = await quickstart(
    'example.org',
    '--yes',
    '--address',
    '192.0.2.1',
    '--print',
    file,
  );
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    1,
    [expect.stringMatching(/^mayfly: The files cannot be written into .*: ENOTDIR/)],
  ]);
});
