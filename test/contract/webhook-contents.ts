// Contract: what is kept beside the outbox for events of new messages. Part of mail-store.ts.

import { expect, it } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { type DueWebhook, type KeptContent, operatorEndpointId } from '../../src/store/jobs-store.ts';
import {
  createLive,
  deliverOne,
  dayMs,
  hourMs,
  leaseWebhooks,
  openForTest,
  type OpenedStore,
  type OpenStore,
  sweep,
} from './store-fixture.ts';

const outbox = { operator: true, sessions: true, rowsPerEndpoint: 100 };
const limits = { giveUpMs: dayMs, deadMs: 7 * dayMs, deadPerEndpoint: Infinity };
const content = Buffer.from('sealed content');

async function open(openStore: OpenStore): Promise<{ store: OpenedStore; session: Session; id: number }> {
  const store = await openForTest(openStore, { outbox });
  const session = await createLive(store);
  const id = await deliverOne(store, session);
  // Some stores take events into the queue a moment later.
  await store.jobs.findEndpoint(session.key);
  return { store, session, id };
}

function contentOf({ key }: Session, messageId: number, given: Partial<KeptContent> = {}): KeptContent {
  return { key, messageId, endpointId: operatorEndpointId, content, ...given };
}

const lease = (store: OpenedStore): Promise<DueWebhook[]> => leaseWebhooks(store.jobs, 30_000);

/** Returns the contents of the due events of new messages. */
async function dueContents(store: OpenedStore): Promise<(string | undefined)[]> {
  const due = (await lease(store)).filter(({ kind }) => kind === 'message.received');
  return due.map((one) => one.content?.toString());
}

export function webhookContentsContract(openStore: OpenStore): void {
  it('keeps the content of an event for every try, across a restart, until it is finished', async () => {
    const { store, session, id } = await open(openStore);
    await store.jobs.keepContents([contentOf(session, id)]);
    expect(await store.jobs.countContentBytes()).toBe(content.length);
    const [first] = await lease(store);
    expect(Buffer.from(first!.content!).toString()).toBe('sealed content');
    await store.jobs.postpone(first!, { delayMs: 0, isTry: true, error: 'answered_500' });
    await store.reopen();
    store.clock.advance(hourMs / 60);
    const [again] = await lease(store);
    expect([again?.attempts, Buffer.from(again!.content!).toString()]).toEqual([1, 'sealed content']);
    await store.jobs.finish(again!);
    expect(await store.jobs.countContentBytes()).toBe(0);
  });

  it('keeps nothing for what has no row: other messages, endpoints and sessions, and finished events', async () => {
    const { store, session, id } = await open(openStore);
    const other = await createLive(store);
    await store.jobs.keepContents([
      contentOf(session, id + 1),
      contentOf(session, id, { endpointId: 77 }),
      contentOf(other, id),
    ]);
    const [due] = await lease(store);
    expect(due?.content).toBeNull();
    await store.jobs.finish(due!);
    await store.jobs.keepContents([contentOf(session, id)]);
    expect(await store.jobs.countContentBytes()).toBe(0);
  });

  it('drops the content of an event that is given up, which stays as a dead letter without it', async () => {
    const { store, session, id } = await open(openStore);
    await store.jobs.keepContents([contentOf(session, id)]);
    const [due] = await lease(store);
    await store.jobs.bury(due!, 'answered 410');
    expect(await store.jobs.countContentBytes()).toBe(0);
    await store.jobs.replayDead('all');
    expect(await dueContents(store)).toEqual([undefined]);
  });

  it('drops the content of an event that was not delivered in time', async () => {
    const { store, session, id } = await open(openStore);
    await store.jobs.keepContents([contentOf(session, id)]);
    store.clock.advance(limits.giveUpMs + 1);
    await store.jobs.tidy(limits);
    expect(await store.jobs.countContentBytes()).toBe(0);
  });

  it('drops the content with its message', async () => {
    const { store, session, id } = await open(openStore);
    const kept = await deliverOne(store, session);
    await store.jobs.findEndpoint(session.key);
    await store.jobs.keepContents([contentOf(session, id), contentOf(session, kept)]);
    await store.mail.deleteMessage(session.key, id);
    expect(await dueContents(store)).toEqual([undefined, 'sealed content']);
    expect(await store.jobs.countContentBytes()).toBe(content.length);
  });

  it.each(['ended by its holder', 'expired'])('drops the contents of a session that is %s', async (how) => {
    const { store, session, id } = await open(openStore);
    const other = await createLive(store, { lifetimeMs: dayMs });
    const kept = await deliverOne(store, other);
    await store.jobs.findEndpoint(other.key);
    await store.jobs.keepContents([contentOf(session, id), contentOf(other, kept)]);
    if (how === 'expired') {
      store.clock.advance(2 * hourMs);
      await sweep(store);
    } else await store.mail.endSession(session.key);
    expect(await dueContents(store)).toEqual([undefined, 'sealed content']);
    expect(await store.jobs.countContentBytes()).toBe(content.length);
    await store.jobs.keepContents([contentOf(session, id)]);
    await store.jobs.tidy(limits);
    expect(await store.jobs.countContentBytes()).toBe(content.length);
  });

  it('lists the endpoints that receive the events of a session’s mail', async () => {
    const { store, session } = await open(openStore);
    const without = await createLive(store);
    const sealed = Buffer.from('sealed target');
    await store.jobs.addEndpoint({ key: session.key, sealed, hostTag: Buffer.alloc(32, 7) });
    const list = async (): Promise<string[]> =>
      (await store.jobs.listSubscribers(session.key)).map((one) => Buffer.from(one.sealed).toString());
    expect(await store.jobs.listSubscribers(without.key)).toEqual([]);
    expect(await list()).toEqual(['sealed target']);
    const [subscriber] = await store.jobs.listSubscribers(session.key);
    await store.jobs.closeEndpoint(subscriber!.endpointId, 'answered_410');
    expect(await list()).toEqual([]);
  });
}
