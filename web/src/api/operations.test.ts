// Requests that must keep their order.
import { beforeEach, expect, it, vi } from 'vitest';

import { ApiError } from './api-error.ts';
import { markMails } from './operations.ts';

interface Asked {
  readonly body: string;
  answer(response: Response): void;
}

const asked: Asked[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    return new Promise<Response>((resolve) => asked.push({ body, answer: resolve }));
  });
  return () => {
    vi.unstubAllGlobals();
  };
});

it('marks a message once the mark before it is answered, even by a failure', async () => {
  const first = markMails('mf_a', [1], true);
  const second = markMails('mf_a', [1], false);
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]?.body).toContain('"read":1');
  const body = JSON.stringify({ status: 'error', code: 'message_not_found', message: 'It is gone.' });
  asked[0]?.answer(new Response(body, { status: 404 }));
  await expect(first).rejects.toBeInstanceOf(ApiError);
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]?.body).toContain('"read":0');
  asked[1]?.answer(new Response('{}'));
  await second;
});
