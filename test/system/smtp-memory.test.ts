// Hundreds of large messages: the memory they take, and what is left of them after kill -9.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { finishAll, type Load, memoryOf, sendAllButTheEnd } from '../support/faults/memory-load.ts';

const mebibyte = 1024 * 1024;
/** The memory the service may use beyond that when idle. */
const boundBytes = 200 * mebibyte;

const settings = {
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LIMITS_SESSION_BYTES: '0',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LOG_LEVEL: 'error',
};

async function start(): Promise<{ mayfly: MayflyProcess; folder: string }> {
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return { mayfly, folder: data.path };
}

it.each<[string, Load]>([
  ['200 messages of 1 MB', { connections: 200, messageBytes: mebibyte }],
  ['12 messages of 25 MB', { connections: 12, messageBytes: 25 * mebibyte }],
])('%s at once stay within 200 MiB of memory, and are all stored', { timeout: 300_000 }, async (_, load) => {
  const { mayfly, folder } = await start();
  const lent = await mayfly.lend();
  const before = await memoryOf(mayfly);
  const clients = await sendAllButTheEnd(mayfly.smtpPort, [lent], load);
  const during = await memoryOf(mayfly);
  expect((await readdir(folder)).filter((name) => name.includes('scratch'))).toEqual([]);
  expect(await finishAll(clients.slice(0, 50), 4)).toEqual([]);
  const after = await memoryOf(mayfly);
  const figures = [before.now, during.now, during.peak, after.peak].map((bytes) =>
    Math.round(bytes / mebibyte),
  );
  expect(after.peak - before.now, `MiB before, during, its peak, peak: ${figures.join(', ')}`).toBeLessThan(
    boundBytes,
  );
  expect(await mayfly.checkMail(lent.token)).toHaveLength(Math.min(50, load.connections));
});

it('nothing in progress is left after kill -9', async () => {
  const { mayfly, folder } = await start();
  const lent = await mayfly.lend();
  await sendAllButTheEnd(mayfly.smtpPort, [lent], { connections: 5, messageBytes: 3 * mebibyte });
  expect(await mayfly.stop('SIGKILL')).toBe('SIGKILL');
  const names = await readdir(folder, { recursive: true });
  expect(
    names.filter(
      (name) => !/^(?:mayfly\.(?:db(?:-wal|-shm)?|lock|sock)|server\.key$|tls|operator)/.test(name),
    ),
  ).toEqual([]);
  expect(await readFile(path.join(folder, 'server.key'))).toHaveLength(32);
  for (const name of names.filter((one) => /\.db/.test(one))) {
    expect((await readFile(path.join(folder, name))).includes('x'.repeat(60))).toBe(false);
  }
});
