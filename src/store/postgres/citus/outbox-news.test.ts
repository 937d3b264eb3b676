import { expect, it } from 'vitest';

import type { SessionKey } from '../../../domain/session.ts';
import { PostgresJobsStore } from '../postgres-jobs-store.ts';
import { cluster } from './cluster.ts';

const key = Buffer.alloc(16) as unknown as SessionKey;

/** `fault` is what taking the noted events answers. */
function openStore(fault: object): PostgresJobsStore {
  const connections = {
    write: () => Promise.reject(Object.assign(new Error('take_news'), fault)),
    read: () => Promise.resolve([{ state: 'active', last_error: null, queued: 3, due_at: null }]),
  };
  return new PostgresJobsStore({ connections: connections as never, now: () => null, topology: cluster });
}

it('works on what is in the outbox while a worker that holds events is away', async () => {
  const store = openStore({ code: '08006', severity: 'ERROR' });
  expect(await store.findEndpoint(key)).toMatchObject({ standing: 'active', queued: 3 });
});

it('reports any other fault of taking events', async () => {
  await expect(openStore({ code: '42883' }).findEndpoint(key)).rejects.toThrow('take_news');
});
