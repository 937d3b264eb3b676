// Requests to a fake service that limits the rate.
import { beforeEach, expect, it, vi } from 'vitest';

import { ApiError } from './api-error.ts';
import { request } from './request.ts';

const answers: Response[] = [];
let asked = 0;

beforeEach(() => {
  answers.length = 0;
  asked = 0;
  vi.useFakeTimers();
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return Promise.resolve(answers.shift() ?? new Response('{}'));
  });
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

function slower(seconds: number): Response {
  const body = JSON.stringify({ status: 'error', code: 'rate_limited', message: 'Slower.' });
  return new Response(body, { status: 429, headers: { 'retry-after': String(seconds) } });
}

it('waits as long as the service asks, and asks again', async () => {
  answers.push(slower(1), slower(2));
  const answer = request('check-mail');
  await vi.advanceTimersByTimeAsync(900);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect((await answer).status).toBe(200);
  expect(asked).toBe(3);
});

it('fails when the wait is long, in one go or in all', async () => {
  answers.push(slower(3600));
  await expect(request('create-session', { method: 'POST' })).rejects.toThrow(ApiError);
  expect(asked).toBe(1);
  for (let at = 0; at < 20; at++) answers.push(slower(5));
  const failed = expect(request('check-mail')).rejects.toMatchObject({ code: 'rate_limited' });
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(asked).toBeLessThan(6);
});

it('neither waits when the page goes away, nor asks for what was given up', async () => {
  answers.push(slower(1));
  await expect(request('delete-mail', { method: 'POST', keepalive: true })).rejects.toThrow(ApiError);
  answers.push(slower(1));
  const leaving = new AbortController();
  const failed = expect(request('read-mail', { signal: leaving.signal })).rejects.toThrow(/abort/i);
  await vi.advanceTimersByTimeAsync(10);
  leaving.abort();
  await failed;
  expect(asked).toBe(2);
});
