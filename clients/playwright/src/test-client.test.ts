import type { TestInfo } from '@playwright/test';
import { MayflyError } from 'mayfly-client';
import { expect, it, vi } from 'vitest';

import { TestClient } from './test-client.ts';

const session = {
  status: 'success',
  email: 'fox@mayfly.test',
  token: 'mf_t',
  expires_at: '2030-01-02 03:04:05',
  expires_in: 1,
};

/** A service that is busy until `freeAt`; a pause takes no time, but the clock goes on. */
async function create(freeAt: number): Promise<string> {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1000 });
  const startedAt = Date.now();
  vi.stubGlobal('fetch', () => {
    const isBusy = Date.now() - startedAt < freeAt;
    const body = isBusy ? { status: 'error', code: 'busy', message: 'The service is busy.' } : session;
    return Promise.resolve(
      Response.json(body, { status: isBusy ? 503 : 200, headers: { 'retry-after': '2' } }),
    );
  });
  try {
    const client = new TestClient({ timeout: 30_000 } as TestInfo, 'http://127.0.0.1:1', undefined);
    const made = client.create((mayfly) => mayfly.createInbox());
    const [{ email }] = await Promise.all([made, vi.advanceTimersByTimeAsync(70_000)]);
    return email;
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
}

it('comes again to a busy service for longer than to one that is not there, but ends before its fixture', async () => {
  expect(await create(30_000)).toBe('fox@mayfly.test');
  await expect(create(65_000)).rejects.toBeInstanceOf(MayflyError);
});
