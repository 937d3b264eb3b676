// A message built to take long delays no other request: 25 MB of one-character lines, read while other requests are
// served. Long because its times are only meaningful when nothing else runs.
import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';

const lineCount = 8_300_000;
const othersP99Ms = 200;
const budgetMs = 2_000;

async function deliver(mayfly: MayflyProcess, to: string, type: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  const head = Buffer.from(`Subject: slow\r\nContent-Type: ${type}\r\n\r\n`);
  const raw = Buffer.concat([head, Buffer.alloc(3 * lineCount, 'x\r\n')]);
  await transport.sendMail({ envelope: { from: 'a@sender.test', to }, raw });
  transport.close();
}

/** Returns the milliseconds of each request until `isOver`. */
async function askMeanwhile(mayfly: MayflyProcess, token: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver() || times.length < 200) {
    const startedAt = performance.now();
    const response = await mayfly.call('/check-mail', token);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
}

it.each(['text/plain', 'text/html', 'multipart/mixed; boundary=x'])(
  'reads 25 MB of one-character lines as %s within its budget, and serves others in time',
  async (type) => {
    const folder = await createDataFolder();
    const mayfly = await startMayfly(folder.path, { MAYFLY_LIMITS_RATE: 'off' });
    try {
      const [slow, other] = [await mayfly.lend(), await mayfly.lend()];
      await deliver(mayfly, slow.email, type);
      await deliver(mayfly, slow.email, type);
      // The threads are running, so only the message is measured.
      await mayfly.readMail(slow.token, 1);
      let isOver = false;
      const startedAt = performance.now();
      const reading = mayfly.readMail(slow.token, 2).finally(() => {
        isOver = true;
      });
      const [message, times] = await Promise.all([reading, askMeanwhile(mayfly, other.token, () => isOver)]);
      const tookMs = performance.now() - startedAt;
      expect(message.subject).toBe('slow');
      expect(message.parse).not.toBe('failed');
      expect(times[Math.floor(0.99 * times.length)]).toBeLessThanOrEqual(othersP99Ms);
      // Parsing and HTML sanitising have a budget each; reading from the store is extra.
      expect(tookMs).toBeLessThan(4 * budgetMs + 3_000);
    } finally {
      await mayfly.stop();
      await folder.remove();
    }
  },
);
