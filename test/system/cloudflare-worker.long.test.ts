// Our worker at Cloudflare in workerd, with its R2, before the built service: mail arrives, an unknown recipient is
// refused to its sender, and what comes while the service is away arrives later, in order.

import { createRequire } from 'node:module';
import path from 'node:path';

import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';

import { installPackages } from '../../scripts/install-packages.mjs';
import { createDataFolder, environment, startMayfly } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';

const folder = 'node_modules/.test-workers';

interface Answer {
  readonly status: number;
  text(): Promise<string>;
}

interface Miniflare {
  dispatchFetch(url: string, init?: { method: string; body?: string }): Promise<Answer>;
  getR2Bucket(name: string): Promise<{ list(): Promise<{ objects: readonly { key: string }[] }> }>;
  dispose(): Promise<void>;
}

beforeAll(async () => {
  await installPackages('test/workers', folder);
});

function startWorker(url: string, secret: string): Miniflare {
  const load = createRequire(path.resolve(folder, 'node_modules/'));
  const { Miniflare } = load('miniflare') as { Miniflare: new (options: object) => Miniflare };
  const worker = new Miniflare({
    modules: true,
    scriptPath: path.resolve('deploy/cloudflare/worker.mjs'),
    compatibilityDate: '2026-01-01',
    bindings: { MAYFLY_URL: url, MAYFLY_SECRET: secret },
    r2Buckets: ['PARKED'],
    unsafeTriggerHandlers: true,
  });
  onTestFinished(() => worker.dispose());
  return worker;
}

function send(worker: Miniflare, to: string, subject: string): Promise<Answer> {
  const query = new URLSearchParams({ from: 'a@example.org', to }).toString();
  const body = `From: a@example.org\r\nTo: ${to}\r\nMessage-ID: <${subject}@example.org>\r\nSubject: ${subject}\r\n\r\nhello\r\n`;
  return worker.dispatchFetch(`http://localhost/cdn-cgi/handler/email?${query}`, { method: 'POST', body });
}

it('delivers, refuses, parks and catches up', async () => {
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const settings = { MAYFLY_DOMAINS: 'mail.test' };
  let mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const main = path.join(inject('buildDir'), 'main.js');
  const stdout = await runWell(process.execPath, [main, 'inbound', 'add', 'cf', '--from', 'cloudflare'], {
    env: environment(data.path, settings),
  });
  const secret = /^secret: (\S+)$/m.exec(stdout)?.[1] ?? '';
  const worker = startWorker(`${mayfly.origin}/inbound/cf`, secret);
  const lent = await mayfly.lend();
  expect((await send(worker, lent.email, 'one')).status).toBe(200);
  const refused = await send(worker, 'nothing@mail.test', 'two');
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('550 5.1.1 No such recipient'),
  ]);
  const port = new URL(mayfly.origin).port;
  await mayfly.stop();
  for (const subject of ['three', 'four', 'five']) {
    expect((await send(worker, lent.email, subject)).status).toBe(200);
  }
  const bucket = await worker.getR2Bucket('PARKED');
  expect((await bucket.list()).objects).toHaveLength(3);
  mayfly = await startMayfly(data.path, { ...settings, MAYFLY_HTTP_PORT: port });
  await worker.dispatchFetch('http://localhost/cdn-cgi/handler/scheduled');
  await expect.poll(async () => (await bucket.list()).objects.length).toBe(0);
  const mails = await mayfly.listMail(lent.token);
  expect(mails.map(({ subject }) => subject)).toEqual(['one', 'three', 'four', 'five']);
});
