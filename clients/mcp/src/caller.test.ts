import { randomBytes } from 'node:crypto';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Caller } from './caller.ts';

const never = new AbortController().signal;
let made = 0;
let status: number;
let ended: number;

/** Stands in for the service: each session lasts an hour from the first request. */
async function answerAs(input: unknown): Promise<Response> {
  const { pathname } = new URL(String(input));
  if (pathname === '/end-session') ended += 1;
  if (status !== 200) return Response.json({ code: 'session_expired', message: 'x' }, { status });
  const number = pathname === '/create-session' ? (made += 1) : 1;
  const token = `mf_${String(number).padStart(43, '0')}`;
  return Response.json({
    email: 'a@mayfly.test',
    token,
    expires_at: '2030-01-01 01:00:00',
    expires_in: 3600,
  });
}

function newCaller(): Caller {
  return new Caller({ url: 'http://127.0.0.1:1', secret: randomBytes(32) }, 'key');
}

async function fill(caller: Caller, count: number): Promise<PromiseSettledResult<unknown>[]> {
  return Promise.allSettled(Array.from({ length: count }, () => caller.create({}, never)));
}

beforeEach(() => {
  [made, status, ended] = [0, 200, 0];
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z'), toFake: ['Date'] });
  vi.stubGlobal('fetch', answerAs);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('makes ten inboxes of fifteen that are asked for at once, and not one more of the service', async () => {
  const results = await fill(newCaller(), 15);
  expect(results.filter((each) => each.status === 'fulfilled')).toHaveLength(10);
  expect(made).toBe(10);
});

it('has room again when inboxes have expired, and not a moment before', async () => {
  const caller = newCaller();
  await fill(caller, 10);
  vi.setSystemTime(new Date('2030-01-01T00:59:59Z'));
  await expect(caller.create({}, never)).rejects.toThrow(/^too_many_inboxes: /);
  expect(caller.isIdle).toBe(false);
  vi.setSystemTime(new Date('2030-01-01T01:00:00Z'));
  expect(caller.isIdle).toBe(true);
  await expect(caller.create({}, never)).resolves.toMatchObject({ handle: expect.stringMatching(/^mbox_/) });
});

it('has room again after an end, and after the service has said that one is over', async () => {
  const caller = newCaller();
  const { handle } = await caller.create({}, never);
  await fill(caller, 9);
  await caller.end(handle);
  expect(ended).toBe(1);
  const { handle: other } = await caller.create({}, never);
  await expect(caller.create({}, never)).rejects.toThrow(/^too_many_inboxes: /);
  status = 410;
  await expect(caller.open(other)).rejects.toThrow(/^inbox_ended: /);
  status = 200;
  await expect(caller.create({}, never)).resolves.toBeDefined();
});

it('keeps no place for what the service refuses', async () => {
  const caller = newCaller();
  status = 401;
  await fill(caller, 10);
  expect(caller.isIdle).toBe(true);
});

it('ends an inbox whose caller has gone while it was made', async () => {
  const caller = newCaller();
  await expect(caller.create({}, AbortSignal.abort())).rejects.toThrow(/^cancelled: /);
  expect([made, ended, caller.isIdle]).toEqual([1, 1, true]);
});
