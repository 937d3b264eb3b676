// Our worker at Cloudflare, run here in virtual time, before a service that is away for a while.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import worker from '../../deploy/cloudflare/worker.mjs';
import { mailFor, startInboundHarness } from '../support/inbound/inbound-fixture.ts';
import { MemoryBucket } from '../support/inbound/memory-bucket.ts';
import { createRaw } from '../support/inbound/provider-requests.ts';

const provider = createRaw('cloudflare');
const secret = 'secret' in provider.secret ? provider.secret.secret : '';
const url = 'https://mail.example.org/inbound/cloudflare';

interface Incoming {
  readonly from: string;
  readonly to: string;
  readonly raw: ReadableStream<Uint8Array>;
  readonly rejected: string[];
  setReject(reason: string): void;
}

function incoming(to: string, raw: Buffer): Incoming {
  const rejected: string[] = [];
  return {
    from: 'a@example.org',
    to,
    raw: new Blob([Uint8Array.from(raw)]).stream(),
    rejected,
    setReject: (reason) => {
      rejected.push(reason);
    },
  };
}

type Answer = () => Promise<Response>;
const away: Answer = () => Promise.reject(new TypeError('fetch failed'));
const badGateway: Answer = () => Promise.resolve(new Response('<html>502</html>', { status: 502 }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Lets the worker's waits pass. */
async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

describe('the worker', () => {
  it('parks a thousand messages while Mayfly is away for ten minutes, and loses none', async () => {
    const taken: string[] = [];
    let answer: Answer = away;
    vi.stubGlobal('fetch', (_url: string, { body }: { body: Uint8Array }) => {
      if (answer === away || answer === badGateway) return answer();
      taken.push(Buffer.from(body).toString().split('Subject: ')[1]!.split('\r\n')[0]!);
      return answer();
    });
    const parked = new MemoryBucket();
    const env = { MAYFLY_URL: url, MAYFLY_SECRET: secret, PARKED: parked };
    const messages = Array.from({ length: 1000 }, (_, at) =>
      incoming('fox@mayfly.test', Buffer.from(`Subject: ${at}\r\n\r\n`)),
    );
    const outageMs = 600_000;
    const began = Date.now();
    for (const [at, message] of messages.entries()) {
      answer = at % 2 === 0 ? away : badGateway;
      const dueAt = began + Math.floor((at * outageMs) / messages.length);
      if (dueAt > Date.now()) vi.setSystemTime(dueAt);
      await inVirtualTime(worker.email(message, env));
    }
    expect(messages.flatMap(({ rejected }) => rejected)).toEqual([]);
    expect(parked.objects.size).toBe(1000);
    await worker.scheduled({}, env);
    expect(parked.objects.size).toBe(1000);
    answer = () => Promise.resolve(new Response('{"status":"success","outcome":"stored"}'));
    await worker.scheduled({}, env);
    expect(taken).toEqual(messages.map((_, at) => String(at)));
    expect(parked.objects.size).toBe(0);
  });

  it('tries again before it parks, and says so to no sender', async () => {
    let tries = 0;
    vi.stubGlobal('fetch', () => {
      tries += 1;
      return tries < 3 ? away() : Promise.resolve(new Response('{"status":"success"}'));
    });
    const parked = new MemoryBucket();
    const message = incoming('fox@mayfly.test', Buffer.from('x: y\r\n\r\n'));
    await inVirtualTime(worker.email(message, { MAYFLY_URL: url, MAYFLY_SECRET: secret, PARKED: parked }));
    expect([tries, parked.objects.size, message.rejected]).toEqual([3, 0, []]);
  });

  it('refuses only what Mayfly refuses, whatever a proxy answers', async () => {
    const answers: readonly (readonly [number, string])[] = [
      ...[401, 403, 404, 413, 422, 429, 500, 502, 503].map((status) => [status, '<html>'] as const),
      [404, '{"status":"error","code":"not_found"}'],
      [401, '{"status":"error","code":"unauthorized"}'],
      [200, 'It works!'],
      [301, ''],
    ];
    for (const [status, body] of answers) {
      vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
      const parked = new MemoryBucket();
      const message = incoming('fox@mayfly.test', Buffer.from('x: y\r\n\r\n'));
      await inVirtualTime(worker.email(message, { MAYFLY_URL: url, MAYFLY_SECRET: secret, PARKED: parked }));
      expect([status, parked.objects.size, message.rejected]).toEqual([status, 1, []]);
    }
  });

  it('lets the sender try again where it can neither hand over nor park', async () => {
    vi.stubGlobal('fetch', away);
    const parked = new MemoryBucket();
    parked.isAway = true;
    const message = incoming('fox@mayfly.test', Buffer.from('x: y\r\n\r\n'));
    await inVirtualTime(worker.email(message, { MAYFLY_URL: url, MAYFLY_SECRET: secret, PARKED: parked }));
    expect(message.rejected).toEqual(['451 4.3.0 Try again later']);
  });

  it('does not let a message that Mayfly fails at hold up the others', async () => {
    const parked = new MemoryBucket();
    const env = { MAYFLY_URL: url, MAYFLY_SECRET: secret, PARKED: parked };
    vi.stubGlobal('fetch', away);
    for (const subject of ['bad', 'good']) {
      await inVirtualTime(
        worker.email(incoming('fox@mayfly.test', Buffer.from(`Subject: ${subject}\r\n\r\n`)), env),
      );
    }
    vi.stubGlobal('fetch', (_url: string, { body }: { body: Uint8Array }) =>
      Promise.resolve(
        Buffer.from(body).includes('bad')
          ? new Response('{"status":"error"}', { status: 500 })
          : new Response('{"status":"success"}'),
      ),
    );
    await worker.scheduled({}, env);
    expect([...parked.objects.values()].map(({ value }) => Buffer.from(value).toString())).toEqual([
      'Subject: bad\r\n\r\n',
    ]);
  });
});

describe('before the real service', () => {
  it('mail is stored once, an unknown recipient refused, and parked mail stored later', async () => {
    vi.useRealTimers();
    const harness = await startInboundHarness();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend('fox');
    const parked = new MemoryBucket();
    const env = { MAYFLY_URL: `${harness.origin}/inbound/relay`, MAYFLY_SECRET: secret, PARKED: parked };
    const { raw } = mailFor(harness, session.address, 'one');
    await worker.email(incoming(session.address, raw), env);
    await worker.email(incoming(session.address, raw), env);
    const unknown = incoming('nothing@mayfly.test', raw);
    await worker.email(unknown, env);
    expect(unknown.rejected).toEqual(['550 5.1.1 No such recipient']);
    const key = 'mail/000000000000001-x';
    const envelope = encodeURIComponent(
      JSON.stringify({ id: 'x', from: 'ü@example.org', to: session.address }),
    );
    const late = mailFor(harness, session.address, 'two').raw;
    await parked.put(key, Uint8Array.from(late), { customMetadata: { envelope } });
    await worker.scheduled({}, env);
    expect(parked.objects.size).toBe(0);
    expect(await harness.subjectsOf(token)).toEqual(['one', 'two']);
  });
});
