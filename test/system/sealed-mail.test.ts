// Nothing on the disk of a running service opens mail; the token does, also for a program of another's writing.

import { createDecipheriv, createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { runProgram } from '../support/servers/run-program.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { connectTo } from '../support/smtp/smtp-client.ts';

const large = 'x'.repeat(70).concat('\r\n').repeat(9000);

async function deliver({ smtpPort }: MayflyProcess, { email }: Lent, text: string): Promise<void> {
  const client = await connectTo(smtpPort);
  await client.readReply();
  await client.command('EHLO client.example');
  expect(await client.deliver(text, email)).toMatch(/^250 /);
  client.socket.destroy();
}

/** Writes the documented program to a folder in which it finds its package. */
async function writeExample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const page = await readFile(resolve('docs/sealed-mail.md'), 'utf8');
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('node_modules/better-sqlite3'), join(folder, 'node_modules/better-sqlite3'));
  for (const name of ['bindings', 'file-uri-to-path']) {
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  await writeFile(join(folder, 'open-mail.mjs'), code);
  return join(folder, 'open-mail.mjs');
}

async function readFolder(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder, { withFileTypes: true });
  return Promise.all(names.filter((one) => one.isFile()).map(({ name }) => readFile(join(folder, name))));
}

it('is opened with the token by the program of its documentation, and by no other token', async () => {
  const folder = await useDataFolder();
  const mayfly = await useMayfly(folder);
  const [lent, other] = [await mayfly.lend(), await mayfly.lend()];
  await deliver(mayfly, lent, 'Subject: first\r\n\r\nYour code is 123456\r\n');
  await deliver(mayfly, lent, `Subject: large\r\n\r\n${large}`);
  await deliver(mayfly, other, 'Subject: other\r\n\r\nNot for you\r\n');
  await mayfly.stop();
  const example = await writeExample();
  const read = async (token: string): Promise<string> => {
    const { stdout } = await runProgram(process.execPath, [example, folder, token]);
    return stdout;
  };
  const opened = await read(lent.token);
  expect(opened).toContain('Your code is 123456');
  expect(opened).toContain(large);
  expect(opened).not.toContain('Not for you');
  expect(await read(other.token)).toContain('Not for you');
  expect(await read(`mf_${'A'.repeat(43)}`)).toBe('');
});

it('is opened by nothing that is on the disk while its session lives, shared and with a password, after a kill', async () => {
  const folder = await useDataFolder();
  const mayfly = await useMayfly(folder);
  const lent = await mayfly.lend({ password: 'correct horse battery' });
  await deliver(mayfly, lent, 'Subject: marker\r\n\r\nYour code is 123456\r\n');
  const headers = { authorization: `Bearer ${lent.token}` };
  const shared = await fetch(`${mayfly.origin}/create-share`, { method: 'POST', headers });
  expect(shared.status).toBe(200);
  await mayfly.checkMail(lent.token);
  await mayfly.readMail(lent.token, 1);
  await mayfly.stop('SIGKILL');
  const files = await readFolder(folder);
  for (const file of files) {
    expect(file.includes('Your code')).toBe(false);
    expect(file.includes(lent.token)).toBe(false);
  }
  const database = new Database(join(folder, 'mayfly.db'), { readonly: true });
  const session = database.prepare('SELECT public_key FROM sessions').get() as { public_key: Buffer };
  const { raw } = database.prepare('SELECT raw FROM contents').get() as { raw: Buffer };
  database.close();
  let tried = 0;
  for (const file of files) {
    for (let at = 0; at + 32 <= file.length; at++) {
      const candidate = file.subarray(at, at + 32);
      if (candidate.every((byte) => byte === 0)) continue;
      tried += 1;
      expect(opens(candidate, raw)).toBe(false);
      // One in eight: a key lies anywhere, and most of a file is not random.
      if (tried % 8 === 0) expect(publicKeyOf(candidate).equals(session.public_key)).toBe(false);
    }
  }
  expect(tried).toBeGreaterThan(5000);
});

function opens(key: Buffer, raw: Buffer): boolean {
  const sealed = raw.subarray(33);
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    .setAAD(Buffer.from('raw'))
    .setAuthTag(sealed.subarray(12, 28));
  decipher.update(sealed.subarray(28));
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}

function publicKeyOf(seed: Buffer): Buffer {
  const key = { kty: 'OKP', crv: 'X25519', d: seed.toString('base64url'), x: '' };
  const { x = '' } = createPublicKey(createPrivateKey({ format: 'jwk', key })).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url');
}
