// Passwords of sessions: they return the token while the session lives, reveal nothing else, and failures count like
// wrong tokens.

import { randomBytes } from 'node:crypto';

import { expect, it, vi } from 'vitest';

import { allOperations, ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const password = 'correct horse';

async function create(harness: Harness, given: object = {}): Promise<{ email: string; token: string }> {
  const { status, json } = await postJson(harness, '/create-session', { password, ...given });
  expect([status, json]).toEqual([200, expect.objectContaining({ status: 'success' })]);
  return json as { email: string; token: string };
}

function reopen(harness: Harness, email: string, given: string = password): Promise<HttpAnswer> {
  return postJson(harness, '/reopen-session', { email, password: given });
}

async function codeOf(answer: Promise<HttpAnswer>): Promise<[number, unknown]> {
  const { status, json } = await answer;
  return [status, json['code']];
}

it('returns the same session as create-session did', async () => {
  const harness = await startHttp();
  const made = await create(harness, { prefix: 'quiet-fox' });
  harness.advance(60_000);
  const { status, json } = await reopen(harness, 'Quiet-Fox@MAYFLY.test');
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: 'success', email: made.email, token: made.token });
  expect(json['expires_in']).toBeLessThanOrEqual(3540);
  const session = await ask(harness, '/session', { headers: { authorization: `Bearer ${made.token}` } });
  expect(json['expires_at']).toBe(session.json['expires_at']);
});

it('accepts a password in any composition of its letters', async () => {
  const harness = await startHttp();
  const { email } = await create(harness, { password: 'Zoe\u0308' });
  expect((await reopen(harness, email, 'Zo\u00eb')).status).toBe(200);
});

it('gives the same response for a wrong password, an unknown address, one without a password and an invalid address', async () => {
  const harness = await startHttp();
  const { email } = await create(harness);
  const { session } = await harness.lend('without');
  const answers = await Promise.all([
    reopen(harness, email, 'wrong'),
    reopen(harness, session.address),
    reopen(harness, 'unknown@mayfly.test'),
    reopen(harness, 'no address'),
  ]);
  const alike = answers.map(({ status, json }) => ({ status, ...json, request_id: '' }));
  expect(alike[0]).toMatchObject({ status: 'error', code: 'wrong_password', parameter: 'password' });
  for (const answer of alike) expect(answer).toEqual(alike[0]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
});

it('opens nothing once the session has ended, nor the next one at the same address', async () => {
  const harness = await startHttp();
  const { email, token } = await create(harness, { prefix: 'twice' });
  await postJson(harness, '/end-session', { token });
  expect(await codeOf(reopen(harness, email))).toEqual([401, 'wrong_password']);
  await harness.lend('twice');
  expect(await codeOf(reopen(harness, email))).toEqual([401, 'wrong_password']);
  const later = await create(harness);
  harness.advance(2 * 3_600_000);
  expect(await codeOf(reopen(harness, later.email))).toEqual([401, 'wrong_password']);
});

it('says of a password that an earlier server’s key sealed that it is wrong, at the usual cost', async () => {
  const harness = await startHttp();
  const { email } = await create(harness);
  const { session } = await harness.lend('other');
  const { passwords, mail } = harness.store;
  const lookup = await mail.findLiveSession('other@mayfly.test');
  expect(lookup?.key).toEqual(session.key);
  const lockOf = vi.spyOn(passwords, 'readPassword');
  await reopen(harness, email);
  const sealed = await (lockOf.mock.results[0]?.value as Promise<Uint8Array>);
  // Sealed for another session, under another key, and damaged.
  for (const wrong of [sealed, randomBytes(sealed.length), Buffer.alloc(3)]) {
    await passwords.replacePassword(session.key, wrong);
    expect(await codeOf(reopen(harness, 'other@mayfly.test'))).toEqual([401, 'wrong_password']);
  }
  expect((await reopen(harness, email)).status).toBe(200);
});

it('creates no session with an unacceptable password', async () => {
  const harness = await startHttp();
  for (const bad of ['x'.repeat(257), 'a\u0000b', '\ud800']) {
    const { status, json } = await postJson(harness, '/create-session', { prefix: 'fox', password: bad });
    expect([status, json['code'], json['parameter']]).toEqual([400, 'invalid_parameter', 'password']);
  }
  expect(await codeOf(postJson(harness, '/reopen-session', { email: 'fox@mayfly.test' }))).toEqual([
    400,
    'missing_parameter',
  ]);
  // The address is free.
  await create(harness, { prefix: 'fox' });
});

it('ends a session whose password cannot be stored', async () => {
  const fail = (): Promise<never> => Promise.reject(new Error('no room'));
  const harness = await startHttp({
    wrapDeps: (deps) => ({ ...deps, passwords: { ...deps.passwords, replacePassword: fail } }),
  });
  const { status } = await postJson(harness, '/create-session', { prefix: 'fox', password });
  expect(status).toBe(500);
  expect(await harness.store.mail.findLiveSession('fox@mayfly.test')).toBeUndefined();
});

it('counts wrong passwords like wrong tokens, and accepts no right one beyond the limit', async () => {
  const harness = await startHttp({ access: { rates: { authFailuresPerMinute: 3 } } });
  const { email } = await create(harness);
  // Correct ones do not count.
  for (let i = 0; i < 4; i++) expect((await reopen(harness, email)).status).toBe(200);
  const wrong = ['a', 'b', 'c', 'd', 'e', password].map((one) => codeOf(reopen(harness, email, one)));
  const codes = (await Promise.all(wrong)).map(([, code]) => code);
  expect(codes.filter((code) => code === 'wrong_password')).toHaveLength(3);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3);
  expect(await codeOf(reopen(harness, email))).toEqual([429, 'rate_limited']);
  const wrongToken = ask(harness, '/check-mail', {
    headers: { authorization: `Bearer mf_${'x'.repeat(43)}` },
  });
  expect(await codeOf(wrongToken)).toEqual([429, 'rate_limited']);
  harness.ruled.advance(60_000);
  expect((await reopen(harness, email)).status).toBe(200);
});

it('serves networks in turn: a flood from one keeps no other from its session', async () => {
  const settings = { trustedProxies: ['127.0.0.1'], proxyHeader: 'x-forwarded-for' } as const;
  const harness = await startHttp({ settings });
  const { email } = await create(harness);
  const order: string[] = [];
  const from = async (network: string): Promise<void> => {
    const body = JSON.stringify({ email, password: 'wrong' });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
    const { status } = await ask(harness, '/reopen-session', { method: 'POST', headers, body });
    expect(status).toBe(401);
    order.push(network);
  };
  const flood = Array.from({ length: 12 }, () => from('192.0.2.1'));
  await Promise.race(flood);
  await from('198.51.100.1');
  expect(order.length).toBeLessThan(6);
  await Promise.all(flood);
});

it('never reveals a password, and stores none in readable form', async () => {
  const harness = await startHttp();
  const { email, token } = await create(harness);
  await reopen(harness, email);
  await reopen(harness, email, 'wrong one');
  expect(JSON.stringify(harness.logged)).not.toMatch(/correct horse|wrong one/);
  const { session } = await harness.services.authenticateToken(token);
  const kept = Buffer.from((await harness.store.passwords.readPassword(session.key)) ?? []);
  expect(kept.length).toBeGreaterThan(64);
  expect(kept.includes(token) || kept.includes(password)).toBe(false);
});

it('is a documented operation', () => {
  const operation = allOperations.find(({ path }) => path === '/reopen-session');
  expect(operation?.errors).toEqual(['wrong_password', 'rate_limited']);
});
