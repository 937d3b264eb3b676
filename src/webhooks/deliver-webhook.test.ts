import { expect, it, onTestFinished, vi } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { CircuitBreakers } from '#notifications/circuit-breakers';
import type { SessionKey } from '../domain/session.ts';
import { createLogger } from '../observe/create-logger.ts';
import { type DueWebhook, type JobsStore, operatorEndpointId } from '../store/jobs-store.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import type { WebhookContent } from './webhook-content.ts';

const content = {
  services: { findSession: () => Promise.resolve({ state: 'unknown' }) },
} as unknown as WebhookContent;

const due: DueWebhook = {
  rowId: 1,
  lease: 1,
  endpointId: 2,
  sealed: Buffer.from('sealed'),
  attempts: 0,
  content: null,
  key: Buffer.alloc(16) as Uint8Array as SessionKey,
  seq: 1,
  kind: 'message.received',
  messageId: 1,
  at: 0,
};

/** Delivers to an endpoint with the given answer and delay; returns the calls of the store, by method. */
async function deliver(given: Partial<DueWebhook>, status: number, tookMs = 0): Promise<unknown[][]> {
  const clock = { now: 1000 };
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  onTestFinished(() => {
    now.mockRestore();
  });
  const calls: unknown[][] = [];
  const jobs = new Proxy({} as JobsStore, {
    get: (_target, name) => (lease: unknown, rest: unknown) => {
      calls.push([name, lease, rest]);
      return Promise.resolve(true);
    },
  });
  const fetch = (): Promise<{ status: number; headers: object; body: Buffer }> => {
    clock.now += tookMs;
    return Promise.resolve({ status, headers: {}, body: Buffer.alloc(0) });
  };
  const breakers = new CircuitBreakers(() => clock.now);
  const options = { jobs, content, breakers, now: Date.now, log: createLogger('fatal') };
  const endpoint = { url: 'http://hook.test/', secrets: [createWebhookSecret()], fetch: fetch as never };
  for (let count = 0; count < 5; count++) {
    await deliverWebhook(
      { onTry: () => undefined, ...options, endpointOf: () => endpoint },
      { ...due, ...given },
    );
  }
  return calls;
}

it('takes a good answer that was slow as done, and the endpoint for failing: in the end it rests', async () => {
  const calls = await deliver({}, 204, 2000);
  expect(calls.map(([name]) => name)).toEqual(Array(5).fill('finish'));
  expect(calls[0]![2]).toEqual({ error: 'too_slow', restMs: 0 });
  expect(calls[4]![2]).toEqual({ error: 'too_slow', restMs: 10_000 });
});

it("takes a good answer in time as it is, and the operator's however slow", async () => {
  const well = { error: undefined, restMs: 0 };
  expect((await deliver({}, 204, 1999)).map(([, , verdict]) => verdict)).toEqual(Array(5).fill(well));
  const operators = await deliver({ endpointId: operatorEndpointId, sealed: null }, 204, 4900);
  expect(operators.map(([, , verdict]) => verdict)).toEqual(Array(5).fill(well));
});

it('keeps what was wrong with the last try, and how long the endpoint rests', async () => {
  const calls = await deliver({}, 503);
  expect(calls[0]).toMatchObject(['postpone', {}, { isTry: true, error: 'answered_503', restMs: 0 }]);
  expect(calls[4]![2]).toMatchObject({ error: 'answered_503', restMs: 10_000 });
});

it('tries again later when the endpoint cannot be decrypted, as under the key of another node', async () => {
  const calls: unknown[][] = [];
  const jobs = {
    postpone: (...args: unknown[]) => Promise.resolve(calls.push(args) > 0),
  } as unknown as JobsStore;
  const options = {
    jobs,
    content,
    breakers: new CircuitBreakers(),
    now: Date.now,
    log: createLogger('fatal'),
  };
  const endpointOf = (): never => {
    throw new Error('not configured');
  };
  await deliverWebhook({ onTry: () => undefined, ...options, endpointOf }, due);
  expect(calls).toMatchObject([[due, { isTry: true, error: 'not_sent' }]]);
});

it('closes an endpoint that cannot be opened, and sends nothing', async () => {
  const calls: unknown[][] = [];
  const jobs = {
    closeEndpoint: (...args: unknown[]) => Promise.resolve(calls.push(args)),
  } as unknown as JobsStore;
  const options = {
    jobs,
    content,
    breakers: new CircuitBreakers(),
    now: Date.now,
    log: createLogger('fatal'),
  };
  await deliverWebhook({ onTry: () => undefined, ...options, endpointOf: () => undefined }, due);
  await deliverWebhook(
    { onTry: () => undefined, ...options, endpointOf: () => undefined },
    { ...due, kind: 'webhook.challenge' },
  );
  expect(calls).toEqual([
    [2, 'unreadable'],
    [2, 'unreadable'],
  ]);
});

it('says why an endpoint is closed', async () => {
  expect((await deliver({}, 410))[0]).toEqual(['closeEndpoint', 2, 'answered_410']);
  const challenge = { kind: 'webhook.challenge', attempts: 2 } as const;
  expect((await deliver(challenge, 200))[0]).toEqual(['closeEndpoint', 2, 'did_not_echo_the_challenge']);
});
