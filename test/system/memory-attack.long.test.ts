// Minutes after the last request no heap of the service has anything of a mail, a token or a key, and the whole memory
// of the process has no key. The service's clock jumps; heaps are read by snapshots, the memory by the kernel.
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';

import { sealHeaderBytes } from '#sealing/sealed-format';
import { deriveContentKey, toKeyPair, toSeed } from '#sealing/sealed-keys';
import { hashToken, toSessionKey } from '#sealing/token';
import { createMarkedMail } from '../support/attacker/marked-mail.ts';
import { findInMemory } from '../support/attacker/process-memory.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { greet } from '../support/smtp/smtp-client.ts';

const jumpingClock = pathToFileURL(path.resolve('test/support/attacker/jumping-clock.mjs')).href;
const password = 'Markerpassword of its holder';

/** Writes a snapshot of each thread's heap and returns which of the texts are in any. */
async function findInHeaps(mayfly: MayflyProcess, file: string, texts: readonly string[]): Promise<string[]> {
  const count = (): number => mayfly.log.split('snapshot ').length;
  const before = count();
  const [folder, name] = [path.dirname(file), path.basename(file)];
  const list = async (): Promise<string[]> => (await readdir(folder)).filter((one) => one.startsWith(name));
  for (const one of await list()) await rm(path.join(folder, one));
  mayfly.child.kill('SIGUSR2');
  await expect.poll(count, { timeout: 120_000 }).toBe(before + 1);
  const found: string[] = [];
  for (const one of await list()) {
    const snapshot = await readFile(path.join(folder, one), 'utf8');
    found.push(...texts.filter((text) => snapshot.includes(text)).map((text) => `${text} in ${one}`));
  }
  return found;
}

interface Secrets {
  /** As they would be in a heap. */
  readonly texts: readonly string[];
  /** As they are elsewhere, by what they are. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

interface SealedRow {
  readonly meta: Buffer;
  readonly raw: Buffer;
  readonly glance: Buffer | null;
}

/** Derives all keys of the sessions' mail from their tokens, as their holders could. */
function deriveSecrets(dataDir: string, tokens: readonly string[]): Secrets {
  const database = new Database(path.join(dataDir, 'mayfly.db'), { readonly: true });
  const texts: string[] = [];
  const keys = new Map<string, Buffer>();
  try {
    for (const [at, token] of tokens.entries()) {
      const hash = hashToken(token);
      const session = database
        .prepare<[Uint8Array], { id: number; public_key: Buffer; salt: Buffer }>(
          'SELECT id, public_key, salt FROM sessions WHERE key = ?',
        )
        .get(toSessionKey(hash ?? Buffer.alloc(32)));
      if (!session) throw new Error('There is no such session.');
      const seed = toSeed(token);
      texts.push(seed.toString('base64url'), seed.toString('hex'));
      // Clamping changes the first and the last byte.
      keys.set(`the reading key of session ${at}`, seed.subarray(1, 31));
      const target = { publicKey: session.public_key, salt: session.salt };
      const { privateKey } = toKeyPair(seed);
      const rows = database
        .prepare<[number, number], SealedRow>(
          `SELECT c.meta, c.raw, n.glance FROM messages m JOIN contents c ON c.id = m.content_id
           LEFT JOIN notes n ON n.message_id = m.id WHERE m.id BETWEEN ? AND ?`,
        )
        .all(session.id * 2 ** 22, (session.id + 1) * 2 ** 22 - 1);
      for (const { meta, raw, glance } of rows) {
        for (const sealed of [meta, raw, ...(glance ? [glance] : [])]) {
          const ephemeral = sealed.subarray(1, sealHeaderBytes);
          const key = deriveContentKey({ privateKey, target, ephemeral, isOwner: true });
          keys.set(`a content key of session ${at}: ${ephemeral.toString('hex', 0, 4)}`, key);
          texts.push(key.toString('base64url'), key.toString('hex'));
        }
      }
    }
  } finally {
    database.close();
  }
  return { texts, keys };
}

/** Reads in every way that there is. @returns the share's token */
async function readAll(
  mayfly: MayflyProcess,
  { email, token }: { email: string; token: string },
): Promise<string> {
  const ask = async (call: string, by?: string): Promise<Response> => {
    const answer = await mayfly.call(call, by);
    expect([call.split('?')[0], answer.status]).toEqual([call.split('?')[0], 200]);
    return answer;
  };
  const post = async (operation: string, given: Readonly<Record<string, string>>): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const body = new URLSearchParams(given);
    return (await fetch(`${mayfly.origin}/${operation}`, { method: 'POST', headers, body })).json();
  };
  expect(await mayfly.checkMail(token)).toHaveLength(3);
  const read = await ask('/read-mail?id=1', token);
  const { message } = (await read.json()) as { message: { html_url: string; text: string } };
  expect(message.text).toContain('Markerbody');
  expect(await (await ask(message.html_url)).text()).toContain('Markerhtml');
  await (await ask('/check-mail?contains=Markerhtml', token)).text();
  await (await ask('/raw-mail?id=2', token)).text();
  const { share } = (await post('create-share', {})) as { share: string };
  await (await ask('/read-mail?id=3', share)).text();
  expect(await post('reopen-session', { email, password })).toMatchObject({ token });
  const stream = await ask('/events?after=0', token);
  const reader = stream.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return share;
}

it('nothing of mail, tokens and keys is in memory minutes after the last request', async () => {
  const dataDir = await useDataFolder();
  const file = path.join(await useDataFolder(), 'heap.json');
  const mayfly = await startMayfly(dataDir, {
    MAYFLY_LIMITS_RATE: 'off',
    NODE_OPTIONS: `--import=${jumpingClock}`,
    HEAP_FILE: file,
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lent = await Promise.all(Array.from({ length: 6 }, () => mayfly.lend({ password })));
  const texts: string[] = [password, ...lent.map(({ token }) => token)];
  const client = await greet(mayfly.smtpPort);
  for (const [at, { email }] of lent.entries()) {
    for (const number of [1, 2, 3]) {
      const mail = createMarkedMail(`${at}x${number}`);
      texts.push(...mail.markers);
      expect(await client.deliver(mail.raw, email)).toMatch(/^250 /);
    }
  }
  client.socket.destroy();
  for (const one of lent) texts.push(await readAll(mayfly, one));
  const { pid = 0 } = mayfly.child;
  const secrets = deriveSecrets(
    dataDir,
    lent.map(({ token }) => token),
  );
  expect(secrets.keys.size).toBeGreaterThanOrEqual(2 * lent.length);
  // The search works: while they are in use, they are found.
  expect(findInMemory(pid, secrets.keys).length).toBeGreaterThanOrEqual(lent.length);
  const all = [...texts, ...secrets.texts];
  expect((await findInHeaps(mayfly, file, all)).length).toBeGreaterThan(lent.length);
  mayfly.child.kill('SIGUSR1');
  await expect.poll(() => findInHeaps(mayfly, file, all), { timeout: 240_000, interval: 3000 }).toEqual([]);
  expect(findInMemory(pid, secrets.keys)).toEqual([]);
  for (const one of lent) await readAll(mayfly, one);
}, 600_000);
