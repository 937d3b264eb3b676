import { expect, it, onTestFinished, vi } from 'vitest';

import { createPushKey } from './push-key.ts';
import type { PushSubscription } from './push-subscription.ts';
import { createLogger } from '../../../src/observe/create-logger.ts';
import {
  createPushBrowser,
  type PushBrowser,
  type PushService,
  readVapid,
  startPushService,
} from '../../../test/support/servers/push-browser.ts';
import { createPushSender, type PushReader, type PushSender } from './push-sender.ts';
import { createPushHosts } from './push-hosts.ts';

const key = createPushKey(`${'A'.repeat(42)}E`);
const contact = 'mailto:postmaster@mayfly.test';
const patience = { timeout: 300_000 };

interface Setting {
  readonly sender: PushSender<PushReader>;
  readonly service: PushService;
  readonly browser: PushBrowser;
  readonly subscriptions: PushSubscription[];
  readonly tried: string[];
}

function session(name = 1): PushReader {
  return { key: Buffer.alloc(16, name), expiresAt: Date.now() + 3_600_000 };
}

async function open(restMs = 10): Promise<Setting> {
  const service = await startPushService();
  const browser = createPushBrowser();
  const subscriptions = [{ id: 'the-id', ...browser.subscription(`${service.origin}/send/1`) }];
  const tried: string[] = [];
  const sender = createPushSender({
    signer: { key, contact, findFetch: createPushHosts([service.origin]), now: Date.now },
    subscriptions: {
      list: () => Promise.resolve([...subscriptions]),
      drop: (_session, id) => {
        const at = subscriptions.findIndex((one) => one.id === id);
        return Promise.resolve(at >= 0 && subscriptions.splice(at, 1).length > 0);
      },
    },
    log: createLogger('fatal'),
    onTry: (outcome) => tried.push(outcome),
    restMs,
    retryMs: [10, 20],
  });
  onTestFinished(() => sender.close());
  return { sender, service, browser, subscriptions, tried };
}

it('tells the browser which address and message, encrypted, signed, and nothing else', async () => {
  const { sender, service, browser } = await open();
  sender.note(session(), 7);
  await vi.waitUntil(() => service.received.length === 1, patience);
  const [{ path, headers, body }] = service.received as [(typeof service.received)[0]];
  expect(path).toBe('/send/1');
  expect(JSON.parse(browser.decrypt(body))).toEqual({ subscription: 'the-id', message: 7 });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', topic: 'the-id' });
  expect(Number(headers['ttl'])).toBeGreaterThan(3500);
  const claims = readVapid(headers.authorization ?? '', key.publicKey);
  expect(claims).toMatchObject({ aud: service.origin, sub: contact });
});

it('tells of many messages of one session once, of the newest', async () => {
  const { sender, service, browser } = await open(300);
  for (let id = 1; id <= 50; id++) sender.note(session(), id);
  sender.note(session(2), 9);
  await vi.waitUntil(() => service.received.length === 3, patience);
  const news = service.received.map(({ body }) => JSON.parse(browser.decrypt(body)) as { message: number });
  expect(news.map(({ message }) => message).toSorted((a, b) => a - b)).toEqual([1, 9, 50]);
  expect(news.at(-1)).toMatchObject({ message: 50 });
});

it.each([404, 410])('forgets a subscription that is answered %i', async (status) => {
  const { sender, service, subscriptions, tried } = await open();
  service.answer = { status };
  sender.note(session(), 1);
  await vi.waitUntil(() => subscriptions.length === 0, patience);
  sender.note(session(), 2);
  await sender.close();
  expect([service.received.length, tried]).toEqual([1, ['gone']]);
});

it('tries again twice while the push service fails, and not what it refuses', async () => {
  const { sender, service, tried, subscriptions } = await open();
  service.answer = { status: 503 };
  sender.note(session(), 1);
  await vi.waitUntil(() => tried.length === 3, patience);
  service.answer = { status: 400 };
  sender.note(session(2), 1);
  await vi.waitUntil(() => tried.length === 4, patience);
  await sender.close();
  expect([tried, subscriptions.length]).toEqual([['failed', 'failed', 'failed', 'refused'], 1]);
});

it('sends nothing where nothing is subscribed, after the end, and to a host that is no longer allowed', async () => {
  const { sender, service, subscriptions, tried } = await open();
  subscriptions[0] = { ...subscriptions[0]!, endpoint: 'https://push.example.org/a' };
  sender.note(session(), 1);
  await vi.waitUntil(() => subscriptions.length === 0, patience);
  sender.note(session(), 2);
  await sender.close();
  sender.note(session(), 3);
  expect([service.received, tried]).toEqual([[], ['gone']]);
});
