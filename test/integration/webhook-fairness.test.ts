// The dispatcher on a store: how soon each endpoint is served while others are slow, dead or numerous. The test
// controls responses and time.

import { expect, it, onTestFinished } from 'vitest';

import type { SafeRequest } from '#networks/safe-fetch';
import { createWebhookSecret } from '#notifications/webhook-signature';
import type { Session } from '../../src/domain/session.ts';
import { createLogger } from '../../src/observe/create-logger.ts';
import { type DueWebhook, operatorEndpointId } from '../../src/store/jobs-store.ts';
import { createDispatcher } from '../../src/webhooks/create-dispatcher.ts';
import type { WebhookContent } from '../../src/webhooks/webhook-content.ts';
import { openSqliteForTest } from '../contract/open-sqlite-for-test.ts';
import { createLive, deliverOne, openForTest, type OpenedStore } from '../contract/store-fixture.ts';

interface Sent {
  readonly due: DueWebhook;
  answer(status: number, body?: string): void;
}

interface Running {
  readonly store: OpenedStore;
  /** Everything sent, in order. */
  readonly sent: Sent[];
  /** Returns the status for an immediate response. */
  answerOf: (due: DueWebhook) => number | undefined;
  wake(): void;
}

const outbox = { operator: true, sessions: true, rowsPerEndpoint: 1000 };
const secrets = [createWebhookSecret()];

const content = {
  services: { findSession: () => Promise.resolve({ state: 'unknown' }) },
} as unknown as WebhookContent;

async function start(): Promise<Running> {
  const store = await openForTest(openSqliteForTest, { outbox });
  const sent: Sent[] = [];
  const running: Running = { store, sent, answerOf: () => undefined, wake: () => undefined };
  const fetchFor = (due: DueWebhook) => (request: SafeRequest) =>
    new Promise<{ status: number; body: Buffer; headers: Record<string, string> }>((resolve) => {
      const answer = (status: number, body = ''): void => {
        resolve({ status, body: Buffer.from(body), headers: {} });
      };
      sent.push({ due, answer });
      const { data } = JSON.parse(String(request.body)) as { data: { challenge?: string } };
      const status = running.answerOf(due);
      if (data.challenge !== undefined) answer(200, data.challenge);
      else if (status !== undefined) answer(status);
    });
  const dispatcher = createDispatcher({
    onTry: () => undefined,
    jobs: store.jobs,
    now: store.now,
    content,
    log: createLogger('fatal'),
    serves: { operator: true, sessions: true },
    deadPerEndpoint: 100,
    endpointOf: (due) => ({ url: 'http://hook.test/', secrets, fetch: fetchFor(due) }),
  });
  onTestFinished(async () => {
    const closing = dispatcher.close();
    for (const { answer } of sent) answer(204);
    await closing;
  });
  running.wake = () => {
    dispatcher.wake();
  };
  return running;
}

const patient = { timeout: 30_000, interval: 5 };

function countSent({ sent }: Running, endpointId: number): number {
  return sent.filter(({ due }) => due.endpointId === endpointId && due.kind === 'message.received').length;
}

let networks = 0;

async function withWebhook(running: Running): Promise<Session> {
  const { store } = running;
  const session = await createLive(store);
  networks += 1;
  const [hostTag, makerTag] = [Buffer.from(`host ${networks}`), Buffer.from(`maker ${networks}`)];
  await store.jobs.addEndpoint({ key: session.key, sealed: Buffer.from('sealed'), hostTag, makerTag });
  running.wake();
  await expect
    .poll(() => store.jobs.findEndpoint(session.key), patient)
    .toMatchObject({ standing: 'active' });
  return session;
}

async function deliver(running: Running, session: Session, count = 1): Promise<void> {
  for (let sent = 0; sent < count; sent++) await deliverOne(running.store, session);
  running.wake();
}

it("sends the operator's webhook while those of five sessions hang", async () => {
  const running = await start();
  running.answerOf = ({ endpointId }) => (endpointId === operatorEndpointId ? 204 : undefined);
  const sessions: Session[] = [];
  for (let count = 0; count < 5; count++) sessions.push(await withWebhook(running));
  for (const session of sessions) await deliver(running, session, 10);
  await expect.poll(() => countSent(running, operatorEndpointId), patient).toBe(50);
  await deliver(running, await createLive(running.store), 20);
  await expect.poll(() => countSent(running, operatorEndpointId), patient).toBe(70);
});

it('sends a session’s webhook while those of many others hang', async () => {
  const running = await start();
  const well = await withWebhook(running);
  const [{ due: { endpointId: wellId } } = { due: { endpointId: 0 } }] = running.sent;
  running.answerOf = ({ endpointId }) =>
    endpointId === operatorEndpointId || endpointId === wellId ? 204 : undefined;
  for (let count = 0; count < 5; count++) await deliver(running, await withWebhook(running), 10);
  await deliver(running, well, 10);
  await expect.poll(() => countSent(running, wellId), patient).toBe(10);
});

it('serves the sessions in turn: a message waits for at most one of each other session', async () => {
  const running = await start();
  const { store, sent } = running;
  running.answerOf = ({ endpointId }) => (endpointId === operatorEndpointId ? 204 : undefined);
  const late = await withWebhook(running);
  const lateId = sent[0]!.due.endpointId;
  const busy: Session[] = [];
  for (let count = 0; count < 8; count++) busy.push(await withWebhook(running));
  for (const session of busy) await deliver(running, session, 20);
  const held = () => sent.filter(({ due }) => due.endpointId !== operatorEndpointId && due.seq > 0);
  await expect.poll(() => held().length, patient).toBe(24);
  store.clock.advance(1);
  await deliver(running, late);
  for (let answered = 0; answered <= busy.length; answered++) {
    store.clock.advance(1);
    held()[answered]!.answer(204);
    await expect.poll(() => held().length, patient).toBe(25 + answered);
  }
  expect(countSent(running, lateId)).toBe(1);
});

it('sends nothing to an endpoint that failed five times until its pause is over', async () => {
  const running = await start();
  const session = await withWebhook(running);
  const [{ due: { endpointId } } = { due: { endpointId: 0 } }] = running.sent;
  running.answerOf = (due) => (due.endpointId === operatorEndpointId ? 204 : 500);
  await deliver(running, session, 5);
  await expect.poll(() => countSent(running, endpointId), patient).toBe(5);
  await expect
    .poll(() => running.store.jobs.findEndpoint(session.key), patient)
    .toMatchObject({ standing: 'failing', lastError: 'answered_500', queued: 5 });
  await deliver(running, session, 5);
  running.store.clock.advance(9999);
  running.wake();
  await expect.poll(() => countSent(running, operatorEndpointId), patient).toBe(10);
  expect(countSent(running, endpointId)).toBe(5);
});
