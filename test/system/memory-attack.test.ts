// Minutes after the last request the service's heap has no mail and no token. The service's clock jumps; the heap is
// read by a snapshot.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { createMarkedMail } from '../support/attacker/marked-mail.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { greet } from '../support/smtp/smtp-client.ts';

const jumpingClock = pathToFileURL(path.resolve('test/support/attacker/jumping-clock.mjs')).href;

/** Writes a snapshot and returns which of the texts are in it. */
async function findInHeap(mayfly: MayflyProcess, file: string, texts: readonly string[]): Promise<string[]> {
  const count = (): number => mayfly.log.split('snapshot ').length;
  const before = count();
  await rm(file, { force: true });
  mayfly.child.kill('SIGUSR2');
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 1);
  const snapshot = await readFile(file, 'utf8');
  return texts.filter((text) => snapshot.includes(text));
}

it('the heap has no token and nothing of any mail minutes after the last request for it', async () => {
  const dataDir = await useDataFolder();
  const file = path.join(dataDir, 'heap.json');
  const mayfly = await startMayfly(dataDir, {
    MAYFLY_LIMITS_RATE: 'off',
    NODE_OPTIONS: `--import=${jumpingClock}`,
    HEAP_FILE: file,
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lent = await Promise.all(Array.from({ length: 6 }, () => mayfly.lend()));
  const markers: string[] = [];
  const client = await greet(mayfly.smtpPort);
  for (const [at, { email }] of lent.entries()) {
    for (const number of [1, 2, 3]) {
      const mail = createMarkedMail(`${at}x${number}`);
      markers.push(...mail.markers);
      expect(await client.deliver(mail.raw, email)).toMatch(/^250 /);
    }
  }
  client.socket.destroy();
  const read = async (): Promise<void> => {
    for (const { token } of lent) {
      expect(await mayfly.checkMail(token)).toHaveLength(3);
      expect((await mayfly.readMail(token, 1)).text).toContain('Markerbody');
      expect((await mayfly.call('/check-mail?contains=Markerhtml', token)).status).toBe(200);
      expect((await mayfly.call('/raw-mail?id=2', token)).status).toBe(200);
    }
  };
  await read();
  const texts = [...markers, ...lent.map(({ token }) => token)];
  expect((await findInHeap(mayfly, file, texts)).length).toBeGreaterThan(lent.length);
  await expect
    .poll(
      async () => {
        mayfly.child.kill('SIGUSR1');
        // The last text that an expression was tried on stays until the next.
        for (const operation of ['/healthz', '/domains', '/']) await mayfly.call(operation);
        return findInHeap(mayfly, file, texts);
      },
      { timeout: 120_000, interval: 3000 },
    )
    .toEqual([]);
  await read();
}, 240_000);
