// Starts that must fail because of the environment: files, disks, users, another running process. Each ends in one
// line without a stack; with 78 if only the operator can correct it, else with 1, and a supervisor retries. Invalid
// values alone are in packages/config/src/load-config.test.ts, for every setting.

import { once } from 'node:events';
import { access, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { makeCertificate } from '../support/servers/certificate.ts';
import { environment, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { asPlainUser } from '../support/servers/plain-user.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { startUnderFault } from '../support/faults/service-under-fault.ts';

type Settings = Readonly<Record<string, string>>;

interface Start {
  readonly dataDir?: string;
  readonly settings?: Settings;
  readonly words?: readonly string[];
  /** A shell command that must succeed first, in a separate mount namespace. */
  readonly mount?: string;
  readonly asPlain?: boolean;
}

/** Several starts each, on a busy machine. */
const limit = { timeout: 240_000 };
/** Longer than any start; a service that does start is ended. */
const patienceSeconds = '50';

/** Returns its exit status and its only line, without `mayfly: `. */
async function refusal({ dataDir, settings = {}, words = [], mount, asPlain }: Start): Promise<string> {
  const folder = dataDir ?? (await useDataFolder());
  const program = [process.execPath, path.join(inject('buildDir'), 'main.js'), 'serve', ...words];
  const bounded = ['timeout', patienceSeconds, ...program];
  const [command, args] = toCommand(bounded, mount, asPlain === true);
  const { status, stdout, stderr } = await runProgram(command, args, { env: environment(folder, settings) });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^mayfly: [^\n]+\n$/);
  return `${status} ${stderr.slice('mayfly: '.length, -1).replaceAll(folder, 'FOLDER')}`;
}

function toCommand(
  program: readonly string[],
  mount: string | undefined,
  asPlain: boolean,
): [string, string[]] {
  const [first = '', ...rest] = program;
  if (asPlain) return asPlainUser(first, rest);
  if (mount === undefined) return [first, rest];
  const rights = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return ['unshare', [...rights, '--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...program]];
}

async function fileWith(text: string): Promise<string> {
  const file = path.join(await useDataFolder(), 'file');
  await writeFile(file, text);
  return file;
}

describe('a file that a setting names', () => {
  const files = ['MAYFLY_SMTP_TLS_CERT_FILE', 'MAYFLY_SECRET_KEY_FILE', 'MAYFLY_GMAIL_TLS_CA_FILE'];
  const withKey = (name: string, file: string): Settings =>
    name === 'MAYFLY_SMTP_TLS_CERT_FILE'
      ? { [name]: file, MAYFLY_SMTP_TLS_KEY_FILE: file }
      : { [name]: file };

  it.each(files)('%s, that is absent, a folder or full of something else', limit, async (name) => {
    for (const file of ['/nowhere/at-all', '/', await fileWith('something else'), await fileWith('')]) {
      const line = await refusal({ settings: withKey(name, file) });
      expect(line).toMatch(new RegExp(`^78 ${name} `));
      expect(line).toContain(file);
    }
  });

  it('that is a certificate with the key of another, or without an end', limit, async () => {
    const [one, other] = [makeCertificate('one.test'), makeCertificate('other.test')];
    const certificate = { MAYFLY_SMTP_TLS_CERT_FILE: await fileWith(one.cert) };
    const line = await refusal({
      settings: { ...certificate, MAYFLY_SMTP_TLS_KEY_FILE: await fileWith(other.key) },
    });
    expect(line).toMatch(/^78 MAYFLY_SMTP_TLS_CERT_FILE .*\/file is not the key of the certificate in /);
    expect(await refusal({ settings: { ...certificate, MAYFLY_SMTP_TLS_KEY_FILE: '/dev/zero' } })).toMatch(
      /^78 .*\/dev\/zero cannot be read: it is not a file\.$/,
    );
  });
});

it(
  'a server.key that is lost, or not the one of the store, until the operator gives way to it',
  limit,
  async () => {
    const dataDir = await useDataFolder();
    const file = path.join(dataDir, 'server.key');
    await (await startMayfly(dataDir)).stop();
    const right = await readFile(file);
    await rm(file);
    const remedy = 'Copy the file from another node or from a backup; if the right one is lost, ';
    expect(await refusal({ dataDir })).toBe(
      `78 FOLDER/server.key, with which the store is used, is missing. ${remedy}see \`mayfly server-key forget\`.`,
    );
    await expect(access(file)).rejects.toThrow('ENOENT');
    await writeFile(file, Buffer.alloc(32, 1));
    expect(await refusal({ dataDir })).toMatch(
      /^78 FOLDER\/server\.key is not the one with which the store is used\. /,
    );
    await writeFile(file, right);
    await (await startMayfly(dataDir)).stop();
    await rm(file);
    expect(await runMayfly(dataDir, ['server-key', 'forget'])).toMatchObject({ status: 0, stderr: '' });
    await (await startMayfly(dataDir)).stop();
    expect(await readFile(file)).toHaveLength(32);
    expect(await runMayfly(await useDataFolder(), ['server-key', 'forget'])).toMatchObject({ status: 1 });
  },
);

describe('an unavailable store or folder', () => {
  it.each([
    ['sqlite:/nowhere/at-all.db', /^78 The store \/nowhere\/at-all\.db cannot be opened: ENOENT/],
    ['sqlite:/', /^78 The store \/ cannot be opened: /],
    ['postgres://127.0.0.1:1/mayfly', /^1 The store cannot be opened: nothing listens at its address/],
  ])('%s', limit, async (url, expected) => {
    expect(await refusal({ settings: { MAYFLY_STORE_URL: url } })).toMatch(expected);
  });

  it('that the user may not write to', limit, async () => {
    const dataDir = await useDataFolder();
    await chmod(dataDir, 0o555);
    expect(await refusal({ dataDir, asPlain: true })).toMatch(
      /^78 The data folder FOLDER cannot be used: this user may not write to it/,
    );
    expect(await refusal({ dataDir: path.join(dataDir, 'new'), asPlain: true })).toMatch(
      /^78 The data folder FOLDER cannot be used: EACCES/,
    );
    await chmod(dataDir, 0o700);
  });

  it('below a folder in which nothing can be created', async () => {
    expect(await refusal({ dataDir: '/proc/mayfly' })).toMatch(
      /^78 The data folder FOLDER cannot be used: ENOENT/,
    );
  });

  it('on a full disk, one without inodes, one that is read-only', limit, async () => {
    const tmpfs = (options: string): string => `mount -t tmpfs -o ${options} tmpfs "$MAYFLY_DATA_DIR"`;
    expect(await refusal({ mount: tmpfs('size=64k') })).toMatch(
      /^1 The store .* cannot be opened: its disk is full/,
    );
    expect(await refusal({ mount: tmpfs('nr_inodes=2') })).toMatch(
      /^1 The store .* cannot be opened: its file system has no inode left/,
    );
    expect(await refusal({ mount: tmpfs('ro') })).toMatch(/^78 The data folder FOLDER cannot be used: /);
  });

  it('with several processes on one file', async () => {
    expect(await refusal({ words: ['--processes', '2'] })).toMatch(/^78 --processes needs PostgreSQL/);
  });
});

describe('a store in use by another Mayfly', () => {
  it('is refused with another data folder, also under another name', limit, async () => {
    const [first, place] = [await useDataFolder(), await useDataFolder()];
    const file = path.join(place, 'mail.db');
    const mayfly = await startUnderFault({ MAYFLY_STORE_URL: `sqlite:${file}` }, first);
    const link = path.join(place, 'link.db');
    await symlink(file, link);
    for (const name of [file, link]) {
      const settings = { MAYFLY_STORE_URL: `sqlite:${name}` };
      expect(await refusal({ settings })).toBe(`1 Another Mayfly runs on the store ${name}.`);
    }
    expect(await mayfly.stop()).toBe(0);
  });

  it('is refused also if it is the store of that one’s data folder', async () => {
    const first = await useDataFolder();
    await startUnderFault({}, first);
    const second = path.join(await useDataFolder(), 'second');
    await mkdir(second);
    const settings = { MAYFLY_STORE_URL: `sqlite:${path.join(first, 'mayfly.db')}` };
    expect(await refusal({ dataDir: second, settings })).toMatch(/^1 Another Mayfly runs on the store /);
  });
});

it('a misspelt setting, with the name of the one that was meant', async () => {
  expect(await refusal({ settings: { MAYFLY_SMTP_PROT: '2525' } })).toBe(
    '78 MAYFLY_SMTP_PROT is not a setting; did you mean MAYFLY_SMTP_PORT?',
  );
});

it.each(['HTTP', 'SMTP', 'COMPAT', 'ADMIN'])('a port of %s that is taken, with its setting', async (part) => {
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const line = await refusal({ settings: { [`MAYFLY_${part}_PORT`]: String(port) } });
  expect(line).toMatch(/^1 .* cannot listen: .*EADDRINUSE/);
  expect(line).toContain(`:${port}. MAYFLY_${part}_PORT sets another port.`);
});

it('an address that is foreign or unknown', async () => {
  expect(await refusal({ settings: { MAYFLY_SMTP_HOST: '192.0.2.1' } })).toMatch(
    /^1 SMTP cannot listen: .*EADDRNOTAVAIL.* MAYFLY_SMTP_HOST must be an address of this machine\.$/,
  );
  expect(await refusal({ settings: { MAYFLY_HTTP_HOST: 'no-such-host.invalid' } })).toMatch(
    /^1 HTTP cannot listen: /,
  );
});
