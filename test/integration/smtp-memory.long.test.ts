// As many concurrent large messages as the service promises to handle.

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, startMayfly } from '../support/service/mayfly-process.ts';
import { finishAll, type Load, memoryOf, sendAllButTheEnd } from '../support/faults/memory-load.ts';

const mebibyte = 1024 * 1024;
const boundBytes = 400 * mebibyte;

const settings = {
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LIMITS_SESSION_BYTES: '0',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LOG_LEVEL: 'error',
};

it.each<[string, Load]>([
  ['1,000 messages of 1 MB', { connections: 1000, messageBytes: mebibyte }],
  ['50 messages of 25 MB', { connections: 50, messageBytes: 25 * mebibyte }],
])('%s at once stay within 400 MiB of memory, and are all stored', async (_, load) => {
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lent = await mayfly.lend();
  const before = await memoryOf(mayfly);
  const clients = await sendAllButTheEnd(mayfly.smtpPort, [lent], load);
  expect(await finishAll(clients, load.connections)).toEqual([]);
  const { peak } = await memoryOf(mayfly);
  const summary = `${Math.round((peak - before.now) / mebibyte)} MiB more than when idle`;
  expect(peak - before.now, summary).toBeLessThan(boundBytes);
  const { message_count: count } = (await (await mayfly.call('/session', lent.token)).json()) as {
    message_count: number;
  };
  expect(count).toBe(load.connections);
});
