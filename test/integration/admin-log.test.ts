// The log as a stream for operators: who may read it, what is in it, and what becomes of slow readers.

import { get, type IncomingMessage } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createLogFeed, type LogFeed } from '#telemetry/log-feed';
import { addKey, revokeKey } from '../../src/service/operating/manage-keys.ts';
import { startAdminServer, type TestAdmin } from '../support/service/admin-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { ask, startHttp } from './http-harness.ts';

async function start() {
  const harness = await startHttp({ access: {} });
  const feed = createLogFeed();
  return { feed, admin: await startAdminServer(harness.ruled, {}, feed) };
}

function write(feed: LogFeed, level: string, event: string): void {
  feed.write(`${JSON.stringify({ level, time: '2026-01-01T00:00:00.000Z', event })}\n`);
}

interface Reader {
  readonly response: IncomingMessage;
  text(): string;
  events(): string[];
  hasEnded(): boolean;
}

function open(admin: TestAdmin, { query = '', key = admin.key, lastEventId = '' } = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'last-event-id': lastEventId };
    const request = get({ port: admin.port, path: `/admin/log${query}`, headers }, (response) => {
      let text = '';
      let hasEnded = false;
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('close', () => (hasEnded = true));
      const events = (): string[] =>
        Array.from(text.matchAll(/"event":"([^"]+)"/g), ([, event = '']) => event);
      resolve({ response, text: () => text, events, hasEnded: () => hasEnded });
    });
    request.on('error', reject);
    onTestFinished(() => void request.destroy());
  });
}

const until = (reader: Reader, count: number): Promise<true> =>
  eventually(() => Promise.resolve(reader.events().length >= count || undefined), `${count} lines have come`);

describe('the log', () => {
  it('is streamed: the recent lines, then each new one', async () => {
    const { feed, admin } = await start();
    write(feed, 'info', 'before');
    const reader = await open(admin);
    expect(reader.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await until(reader, 1);
    write(feed, 'error', 'after');
    await until(reader, 2);
    expect(reader.events()).toEqual(['before', 'after']);
    expect(reader.text()).toMatch(/^retry: 2000\nid: [0-9a-f]+\.1\nevent: line\ndata: \{"level":"info"/);
  });

  it('is filtered by level and words', async () => {
    const { feed, admin } = await start();
    for (const [level, event] of [
      ['info', 'http.a'],
      ['warn', 'http.b'],
      ['error', 'smtp.c'],
      ['error', 'http.d'],
    ] as const) {
      write(feed, level, event);
    }
    const reader = await open(admin, { query: '?level=warn&words=HTTP' });
    await until(reader, 2);
    expect(reader.events()).toEqual(['http.b', 'http.d']);
    const { json } = await ask(admin, '/admin/log?level=loud', {
      headers: { authorization: `Bearer ${admin.key}` },
    });
    expect(json).toMatchObject({ code: 'invalid_parameter', parameter: 'level' });
  });

  it('resumes after the last line that was read', async () => {
    const { feed, admin } = await start();
    for (const event of ['a', 'b', 'c']) write(feed, 'info', event);
    const reader = await open(admin);
    await until(reader, 3);
    const lastEventId = /id: (\S+\.2)\n/.exec(reader.text())?.[1] ?? '';
    const next = await open(admin, { lastEventId });
    await until(next, 1);
    expect(next.events()).toEqual(['c']);
    const other = await open(admin, { lastEventId: 'other.2' });
    await until(other, 3);
  });

  it('is for admin keys alone, and ends when the key is revoked', async () => {
    const { feed, admin } = await start();
    const shop = await addKey(admin.operator, { name: 'shop', kind: 'caller', scopes: [] });
    for (const headers of [{}, { authorization: `Bearer ${shop.key}` }, { 'x-api-key': admin.key }]) {
      expect((await ask(admin, '/admin/log', { headers })).status).toBe(401);
    }
    const writer = await addKey(admin.operator, { name: 'writer', kind: 'admin', scopes: ['write'] });
    const refused = await ask(admin, '/admin/log', { headers: { authorization: `Bearer ${writer.key}` } });
    expect([refused.status, refused.json.code]).toEqual([403, 'insufficient_scope']);
    const ops = await addKey(admin.operator, { name: 'ops', kind: 'admin', scopes: ['read'] });
    const reader = await open(admin, { key: ops.key });
    write(feed, 'info', 'seen');
    await until(reader, 1);
    await revokeKey(admin.operator, 'ops');
    write(feed, 'info', 'unseen');
    await eventually(() => Promise.resolve(reader.hasEnded() || undefined), 'the stream has ended');
    expect(reader.events()).toEqual(['seen']);
  });

  it('is not followed by more than ten at once', async () => {
    const { admin } = await start();
    for (let at = 0; at < 10; at++) await open(admin);
    const headers = { authorization: `Bearer ${admin.key}` };
    const refused = await ask(admin, '/admin/log', { headers });
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_streams']);
  });

  it('leaves out lines for a reader that is too slow, and says how many', async () => {
    const { feed, admin } = await start();
    const reader = await open(admin);
    reader.response.pause();
    const long = 'x'.repeat(8000);
    const total = 4000;
    for (let at = 0; at < total; at++) write(feed, 'info', `${at}.${long}`);
    reader.response.resume();
    const isLast = (): boolean =>
      reader
        .events()
        .at(-1)
        ?.startsWith(`${total - 1}.`) ?? false;
    await eventually(() => Promise.resolve(isLast() || undefined), 'the last line has come');
    const missed = Array.from(reader.text().matchAll(/event: missed\ndata: \{"count":(\d+)\}/g), ([, n]) =>
      Number(n),
    );
    expect(missed.length).toBeGreaterThan(0);
    expect(missed.reduce((sum, n) => sum + n, 0) + reader.events().length).toBe(total);
  });
});
