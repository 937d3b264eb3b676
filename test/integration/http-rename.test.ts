// POST /rename-session: its effect on readers, senders and shares, and its refusals.

import { expect, it } from 'vitest';

import { addBlock } from '../../src/service/operating/manage-blocks.ts';
import { openStream } from '../support/clients/event-source.ts';
import { ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const mail = 'From: Ann <ann@example.org>\r\nSubject: Hello\r\n\r\nHi\r\n';

function rename(harness: Harness, token: string, given: object = {}): Promise<HttpAnswer> {
  return postJson(harness, '/rename-session', { token, ...given });
}

it('returns the new address and the same end; lists, links and shares continue', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend('quiet-fox');
  const id = await harness.deliver(mail, [session]);
  const share = (await postJson(harness, '/create-share', { token })).json.share;
  const before = await ask(harness, `/check-mail?token=${token}`);
  const links = (await ask(harness, `/read-mail?id=${id}&token=${token}`)).json.message;
  const { status, json } = await rename(harness, token, { prefix: 'Brisk-Owl' });
  expect([status, json.email, json.expires_at]).toEqual([
    200,
    'brisk-owl@mayfly.test',
    before.json.expires_at,
  ]);
  const after = await ask(harness, `/check-mail?token=${token}`, {
    headers: { 'if-none-match': String(before.headers.etag) },
  });
  expect([after.status, after.json.email]).toEqual([200, 'brisk-owl@mayfly.test']);
  expect(after.json.messages).toMatchObject([
    { id, subject: 'Hello', recipients: ['quiet-fox@mayfly.test'] },
  ]);
  expect((await ask(harness, `/check-mail?token=${share}`)).json.email).toBe('brisk-owl@mayfly.test');
  expect((await ask(harness, links.raw_url)).status).toBe(200);
});

it('leaves the password, which opens the session only at its new address', async () => {
  const harness = await startHttp();
  const created = await postJson(harness, '/create-session', {
    prefix: 'quiet-fox',
    password: 'open sesame',
  });
  await rename(harness, created.json.token, { prefix: 'brisk-owl' });
  const reopen = async (email: string): Promise<[number, unknown]> => {
    const { status, json } = await postJson(harness, '/reopen-session', { email, password: 'open sesame' });
    return [status, json.token ?? json.code];
  };
  expect(await reopen('brisk-owl@mayfly.test')).toEqual([200, created.json.token]);
  expect(await reopen('quiet-fox@mayfly.test')).toEqual([401, 'wrong_password']);
});

it('is announced by the stream, with the current address', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend('quiet-fox');
  const stream = await openStream(harness, { token });
  await rename(harness, token, { prefix: 'brisk-owl' });
  await stream.take(1);
  expect(stream.events).toEqual([
    { id: '1', event: 'session.renamed', data: { email: 'brisk-owl@mayfly.test' } },
  ]);
});

it('counts like create-session, with its rate and its blocks, and needs neither key nor challenge', async () => {
  const harness = await startHttp({
    access: { rates: { createsPerMinute: 2, createsPerDay: 100 }, isKeyRequired: true },
  });
  const { token } = await harness.lend('quiet-fox');
  await addBlock(harness.ruled.operator, { kind: 'prefix', value: 'brand*', note: '' });
  const outcomes: unknown[] = [];
  for (const prefix of ['brisk-owl', 'brandname', 'third']) {
    const { status, json, headers } = await rename(harness, token, { prefix });
    outcomes.push([status, json.code, 'ratelimit' in headers]);
  }
  expect(outcomes).toEqual([
    [200, undefined, true],
    [403, 'reserved_prefix', true],
    [429, 'rate_limited', true],
  ]);
  expect((await ask(harness, `/session?token=${token}`)).json.email).toBe('brisk-owl@mayfly.test');
});

it('refuses a wrong key, a taken name and a share', async () => {
  const harness = await startHttp({ access: {} });
  const { token } = await harness.lend('quiet-fox');
  await harness.lend('held');
  const share = (await postJson(harness, '/create-share', { token })).json.share;
  const wrongKey = await ask(harness, `/rename-session?token=${token}`, {
    method: 'POST',
    headers: { 'x-api-key': 'mfk_wrong' },
  });
  const taken = await rename(harness, token, { prefix: 'held' });
  const shared = await rename(harness, share);
  expect([wrongKey, taken, shared].map(({ status, json }) => [status, json.code])).toEqual([
    [401, 'invalid_api_key'],
    [409, 'address_taken'],
    [403, 'read_only'],
  ]);
});
