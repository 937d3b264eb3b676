// Push subscriptions over HTTP: which are accepted and refused, and that they are sealed and end with their session.
import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { pushSubscriptionsMax } from '#notifications/push-subscription';
import { listPushes } from '../../src/service/addresses/push-subscriptions.ts';
import { createPushHosts } from '#notifications/push-hosts';
import { createPushBrowser } from '../support/servers/push-browser.ts';
import { ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const publicKey = 'the-public-key';
const browser = createPushBrowser();
const findFetch = createPushHosts([]);
const offer = {
  publicKey,
  isAllowed: (endpoint: string) => findFetch(endpoint) !== undefined,
  serverKey: Buffer.alloc(32, 7),
};
const endpointOf = (name: string | number): string => `https://fcm.googleapis.com/fcm/send/${name}`;

function start(): Promise<Harness> {
  return startHttp({ wrapDeps: (deps) => ({ ...deps, push: offer }) });
}

function subscribe(harness: Harness, token: string, given: object = {}): Promise<HttpAnswer> {
  return postJson(harness, '/subscribe-push', { token, ...browser.subscription(endpointOf(1)), ...given });
}

async function endpointsOf({ store }: Harness, session: Parameters<typeof listPushes>[1]): Promise<string[]> {
  return (await listPushes({ pushes: store.pushes, push: offer }, session)).map(({ endpoint }) => endpoint);
}

it('stores a subscription, sealed, and returns it', async () => {
  const harness = await start();
  const { token, session } = await harness.lend();
  expect((await ask(harness, '/push-key')).json).toEqual({ status: 'success', public_key: publicKey });
  const { status, json } = await subscribe(harness, token);
  expect([status, json]).toEqual([
    200,
    { status: 'success', subscription_id: expect.stringMatching(/^[\w-]{22}$/) as unknown },
  ]);
  expect(await endpointsOf(harness, session)).toEqual([endpointOf(1)]);
  const stored = Buffer.from((await harness.store.pushes.read(session.key)) ?? '', 'base64').toString(
    'latin1',
  );
  expect(stored).not.toContain('googleapis');
  const { subscription_id: id } = json as { subscription_id: string };
  const drop = async (): Promise<unknown> =>
    (await postJson(harness, '/unsubscribe-push', { token, subscription_id: id })).json;
  expect(await drop()).toEqual({ status: 'success', removed: true });
  expect(await drop()).toEqual({ status: 'success', removed: false });
  expect(await harness.store.pushes.read(session.key)).toBeNull();
  expect(JSON.stringify(harness.logged)).not.toContain('googleapis');
});

it('seals it under the server’s key, for its session alone and without anything of the token', async () => {
  const harness = await start();
  const [one, other] = [await harness.lend(), await harness.lend()];
  await subscribe(harness, one.token);
  const { pushes } = harness.store;
  const text = (await pushes.read(one.session.key)) ?? '';
  await pushes.replace(other.session.key, { before: null, after: text });
  const { session } = one;
  const bare = { key: session.key } as typeof session;
  expect(await listPushes({ pushes, push: offer }, bare)).toHaveLength(1);
  expect(await listPushes({ pushes, push: offer }, other.session)).toEqual([]);
  const wrong = { serverKey: Buffer.alloc(32, 8) };
  expect(await listPushes({ pushes, push: wrong }, session)).toEqual([]);
});

it('replaces subscriptions that an earlier server’s key sealed', async () => {
  const harness = await start();
  const { token, session } = await harness.lend();
  const { pushes } = harness.store;
  await pushes.replace(session.key, { before: null, after: randomBytes(100).toString('base64') });
  expect((await subscribe(harness, token)).status).toBe(200);
  expect(await endpointsOf(harness, session)).toEqual([endpointOf(1)]);
});

it.each([
  ['endpoint', { endpoint: 'http://fcm.googleapis.com/a' }],
  ['endpoint', { endpoint: 'https://127.0.0.1/a' }],
  ['endpoint', { endpoint: 'https://push.example.org/a' }],
  ['endpoint', { endpoint: `https://fcm.googleapis.com/${'a'.repeat(1100)}` }],
  ['p256dh', { p256dh: 'AAAA' }],
  ['p256dh', { auth: 'AAAA' }],
  ['endpoint', { endpoint: 5 }],
])('refuses a bad %s', async (parameter, given) => {
  const harness = await start();
  const { token, session } = await harness.lend();
  const { status, json } = await subscribe(harness, token, given);
  expect([status, json]).toEqual([400, expect.objectContaining({ code: 'invalid_parameter', parameter })]);
  expect(await harness.store.pushes.read(session.key)).toBeNull();
});

it('keeps one per endpoint, and the newest five', async () => {
  const harness = await start();
  const { token, session } = await harness.lend();
  for (const name of [1, 2, 3, 2, 4, 5, 6]) {
    expect((await subscribe(harness, token, { endpoint: endpointOf(name) })).status).toBe(200);
  }
  expect(await endpointsOf(harness, session)).toEqual([3, 2, 4, 5, 6].map(endpointOf));
  expect(pushSubscriptionsMax).toBe(5);
});

it('loses none of several concurrent ones', async () => {
  const harness = await start();
  const { token, session } = await harness.lend();
  const answers = await Promise.all(
    [1, 2, 3, 4].map((name) => subscribe(harness, token, { endpoint: endpointOf(name) })),
  );
  const taken = answers.filter(({ status }) => status === 200).length;
  expect((await endpointsOf(harness, session)).length).toBe(taken);
  expect(taken).toBeGreaterThan(0);
});

it('is for the holder of a live session, and not for a share', async () => {
  const harness = await start();
  const { token, session } = await harness.lend();
  const { share } = (await postJson(harness, '/create-share', { token })).json as { share: string };
  expect((await subscribe(harness, share)).json).toMatchObject({ code: 'read_only' });
  await subscribe(harness, token);
  await postJson(harness, '/end-session', { token });
  expect((await subscribe(harness, token)).json).toMatchObject({ code: 'session_expired' });
  expect(await endpointsOf(harness, session)).toEqual([]);
  expect((await subscribe(harness, `mf_${'A'.repeat(43)}`)).json).toMatchObject({ code: 'unknown_token' });
});

it('is refused when the operator has it off', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  expect((await ask(harness, '/push-key')).json).toEqual({ status: 'success', public_key: null });
  const { status, json } = await subscribe(harness, token);
  expect([status, json.code]).toEqual([404, 'not_found']);
});
