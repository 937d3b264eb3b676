import { expect, it, onTestFinished, vi } from 'vitest';

import {
  openServices,
  plainMail,
  type Services,
  toIncoming,
} from '../../test/support/service/service-fixture.ts';
import { bindTestServices } from '../../test/support/service/test-deps.ts';
import { createGate } from '../../test/support/gate.ts';
import type { Session } from '../domain/session.ts';
import { createLogger } from '../observe/create-logger.ts';
import type { OpenSession } from '../service/session/session-access.ts';
import { type Delivered, toMeta } from '../service/receiving/deliver-to-sessions.ts';
import { type DueWebhook, type KeptContent, operatorEndpointId } from '../store/jobs-store.ts';
import {
  createWebhookContents,
  type WebhookContents,
  type WebhookContentsOptions,
} from './webhook-contents.ts';

const serverKey = Buffer.alloc(32, 7);
const target = Buffer.from('https://hook.example.test/');

interface Setting extends Services {
  readonly contents: WebhookContents;
  readonly kept: KeptContent[];
  /** Delivers a message and tells the contents of it. */
  receive(raw: string, session: OpenSession): Promise<DueWebhook>;
}

async function open(
  given: Partial<WebhookContentsOptions> = {},
  options: Parameters<typeof openServices>[0] = {},
): Promise<Setting> {
  const fixture = await openServices(options);
  const { services } = bindTestServices(fixture.deps);
  const kept: KeptContent[] = [];
  const contents = createWebhookContents({
    jobs: {
      listSubscribers: () => Promise.resolve([]),
      keepContents: (all) => {
        kept.push(...all);
        return Promise.resolve([]);
      },
      countContentBytes: () => Promise.resolve(0),
    },
    serves: { operator: true, sessions: false },
    serverKey,
    hasFull: false,
    takesFull: () => false,
    now: () => 10_000,
    patienceMs: 2000,
    summarise: async (session, fresh) => {
      const { subject, preview, code } = await services.listFreshMail(session, fresh);
      return { subject, preview, code };
    },
    showFull: async (session, fresh) => {
      const { parsed } = await services.readFreshMail(session, fresh);
      return { text: parsed.text };
    },
    log: createLogger('fatal'),
    ...given,
  });
  onTestFinished(() => contents.close(), 20_000);
  const receiving = bindTestServices({
    ...fixture.deps,
    onDelivered: (session: Session, delivered: Delivered) => {
      contents.note(session, delivered);
    },
  }).receiving;
  return {
    ...fixture,
    contents,
    kept,
    receive: async (raw, session) => {
      await receiving.receiveMessage(toIncoming(raw, { rcptTo: [session.address] }), [session]);
      return dueOf(session, (await fixture.refresh(session)).seq);
    },
  };
}

function dueOf({ key }: Session, id: number, given: Partial<DueWebhook> = {}): DueWebhook {
  return {
    rowId: 1,
    lease: 1,
    endpointId: operatorEndpointId,
    sealed: null,
    attempts: 0,
    content: null,
    key,
    seq: id,
    messageId: id,
    kind: 'message.received',
    at: 0,
    ...given,
  };
}

const mail = plainMail('Sign-up', 'Your code is 482913.');
const shown = { message: { subject: 'Sign-up', preview: 'Your code is 482913.', code: '482913' } };

it('is made of the bytes in hand and kept sealed, which opens under the server’s key for its session alone', async () => {
  const { contents, kept, receive, lend, store } = await open();
  const read = vi.spyOn(store.mail, 'readRaw');
  const [session, other] = [await lend(), await lend()];
  const due = await receive(mail, session);
  expect(await contents.find(due)).toEqual(shown);
  await vi.waitUntil(() => kept.length === 1, 60_000);
  const { content } = kept[0]!;
  expect(Buffer.from(content).includes('Sign-up')).toBe(false);
  await contents.close();
  expect(await contents.find({ ...due, content })).toEqual(shown);
  expect(await contents.find({ ...dueOf(other, 1), content })).toBeUndefined();
  expect(await contents.find(due)).toBeUndefined();
  expect(await contents.find({ ...due, at: 8001 })).toBe('soon');
  expect(read.mock.calls).toEqual([]);
});

it('opens under no other server’s key', async () => {
  const { kept, receive, lend } = await open();
  const due = await receive(mail, await lend());
  await vi.waitUntil(() => kept.length === 1, 60_000);
  const other = await open({ serverKey: Buffer.alloc(32, 8) });
  expect(await other.contents.find({ ...due, content: kept[0]!.content })).toBeUndefined();
});

it('is made for endpoints alone, and for each', async () => {
  const endpoints = [{ endpointId: 5, sealed: target }];
  const listed: unknown[] = [];
  const { contents, kept, receive, lend, parserCalls } = await open({
    serves: { operator: false, sessions: true },
    jobs: {
      listSubscribers: (key) => {
        listed.push(key);
        return Promise.resolve(listed.length === 1 ? [] : endpoints);
      },
      keepContents: (all) => {
        keptHere.push(...all);
        return Promise.resolve([]);
      },
      countContentBytes: () => Promise.resolve(0),
    },
  });
  const keptHere: KeptContent[] = kept;
  const session = await lend();
  expect(await contents.find(await receive(mail, session))).toBeUndefined();
  expect(parserCalls.glance).toBe(0);
  const due = await receive(mail, session);
  expect(await contents.find({ ...due, endpointId: 5 })).toEqual(shown);
  expect(await contents.find(due)).toBeUndefined();
});

it('shows whole messages to those who may have them, and a summary of those that are too long', async () => {
  const own = { endpointId: 5, sealed: target };
  const { contents, receive, lend } = await open({
    hasFull: true,
    takesFull: (_key, sealed) => sealed === null,
    serves: { operator: true, sessions: true },
    jobs: {
      listSubscribers: () => Promise.resolve([own]),
      keepContents: () => Promise.resolve([]),
      countContentBytes: () => Promise.resolve(0),
    },
  });
  const session = await lend();
  const due = await receive(mail, session);
  expect(await contents.find(due)).toEqual({ message: { text: 'Your code is 482913.\n' } });
  expect(await contents.find({ ...due, endpointId: 5 })).toEqual(shown);
  const long = await receive(plainMail('Long', 'word '.repeat(80_000)), session);
  expect(await contents.find(long)).toMatchObject({ message: { subject: 'Long' }, content: 'summary' });
});

it('leaves out the preview when too many bytes are in hand, and comes late while the parser is busy', async () => {
  const gate = createGate();
  const { contents, kept, receive, lend } = await open({}, { beforeParsing: gate.pass });
  const session = await lend();
  const large = plainMail('Large', 'word '.repeat(13_000));
  const first = await receive(large, session);
  const incoming = toIncoming(large);
  const meta = { ...toMeta(incoming, 'x'), subject: 'Noted' };
  // With the first, more than may be in hand.
  for (let id = 1000; id < 1270; id += 1) {
    contents.note(session, { id, receivedAt: 0, hasGlance: false, meta, raw: incoming.raw });
  }
  await vi.waitUntil(() => kept.length > 0, 60_000);
  const { messageId, content } = kept.at(-1)!;
  expect(messageId).toBeGreaterThan(1200);
  expect(await contents.find(dueOf(session, messageId, { content }))).toEqual({
    message: { subject: 'Noted', preview: '', code: null },
  });
  const found = await contents.find(first);
  gate.open();
  expect(found).toBe('soon');
});

it('keeps no more bytes than the store may have of it, and sends those in hand all the same', async () => {
  const kept: KeptContent[] = [];
  const { contents, receive, lend } = await open({
    jobs: {
      listSubscribers: () => Promise.resolve([]),
      keepContents: (all) => {
        kept.push(...all);
        return Promise.resolve([]);
      },
      countContentBytes: () => Promise.resolve(256 * 1024 * 1024),
    },
  });
  const due = await receive(mail, await lend());
  expect(await contents.find(due)).toEqual(shown);
  await contents.close();
  expect(kept).toEqual([]);
});

it('is kept late where rows come late, and given up in the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let calls = 0;
  const { contents, receive, lend } = await open({
    jobs: {
      listSubscribers: () => Promise.resolve([]),
      keepContents: (all) => {
        calls += 1;
        return Promise.resolve(calls < 3 ? [...all] : []);
      },
      countContentBytes: () => Promise.resolve(0),
    },
  });
  await receive(mail, await lend());
  await contents.close();
  expect(calls).toBe(3);
});
