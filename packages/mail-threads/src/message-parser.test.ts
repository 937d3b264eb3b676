// The parser as services use it, with the built worker: TypeScript is not loaded in worker threads by Node 20.
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { parseMessage } from '@mayfly/mail-reader';
import { createMessageParser, type MessageParser, type ParserFault } from './message-parser.ts';
import { createReaderThreads, type ReaderThreads } from './reader-threads.ts';

const refuse = (message: string): Error => Object.assign(new Error(message), { code: 'unavailable' });
const workerUrl = pathToFileURL(path.join(inject('buildDir'), 'packages/mail-threads', 'reader-worker.js'));
const raw = readFileSync(
  new URL('../../mail-reader/test/fixtures/eml/nested-attachments.eml', import.meta.url),
);
const owner = { session: 'a', network: '192.0.2.1' };
const faults: ParserFault[] = [];
const readers = createReaderThreads({ parsing: 2, idleMs: 30_000, refuse, workerUrl });
const onFault = (fault: ParserFault): void => void faults.push(fault);
const parser = createMessageParser({ readers, timeBudgetMs: 30_000, onFault });
const others: ReaderThreads[] = [];

function createHurried(): MessageParser {
  const own = createReaderThreads({ parsing: 2, idleMs: 30_000, refuse, workerUrl });
  others.push(own);
  return createMessageParser({ readers: own, timeBudgetMs: 1, onFault });
}

/** Takes far longer than a millisecond to read. */
const large = Buffer.concat([
  Buffer.from('From: Ann <a@b.c>\r\nSubject: large\r\nContent-Type: text/html\r\n\r\n'),
  Buffer.from('<p>a'.repeat(500_000)),
]);

afterEach(async () => {
  faults.length = 0;
  await Promise.all(others.splice(0).map((other) => other.close()));
});
afterAll(() => readers.close());

describe('createMessageParser', () => {
  it('gives what parseMessage gives', async () => {
    await expect(parser.parse(raw, { owner })).resolves.toEqual(parseMessage(raw));
  });

  it('leaves the bytes to the caller unless they are given away', async () => {
    const kept = Uint8Array.from(raw);
    await parser.parse(kept, { owner });
    expect(kept.byteLength).toBe(raw.byteLength);
    const given = Uint8Array.from(raw);
    const message = await parser.parse(given, { owner, ownsRaw: true });
    expect(message.subject).toBe('Files');
    expect(given.byteLength).toBe(0);
  });

  it('never moves memory that a Buffer shares with others', async () => {
    const shared = Buffer.from('Subject: pooled\r\n\r\n');
    const message = await parser.parse(shared, { owner, ownsRaw: true });
    expect(message.subject).toBe('pooled');
    expect(shared.toString()).toBe('Subject: pooled\r\n\r\n');
  });

  it('finds the tables of charsets beside its build, with no package installed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-reading-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    // Files of `.in-use` come and go with the processes that run the build.
    const filter = (from: string): boolean => path.basename(from) !== '.in-use';
    await cp(inject('buildDir'), folder, { recursive: true, filter });
    const own = createReaderThreads({
      parsing: 2,
      idleMs: 30_000,
      refuse,
      workerUrl: pathToFileURL(path.join(folder, 'packages/mail-threads', 'reader-worker.js')),
    });
    others.push(own);
    const alone = createMessageParser({ timeBudgetMs: 2_000, readers: own, onFault });
    for (const [charset, base64, text] of [
      ['gbk', 'xOO6ww==', '\u4f60\u597d'],
      ['windows-1251', '7+jx/Ozu', '\u043f\u0438\u0441\u044c\u043c\u043e'],
    ] as const) {
      const mail = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`;
      await expect(alone.parse(Buffer.from(mail), { owner })).resolves.toMatchObject({ text });
    }
    expect(faults).toEqual([]);
  });

  it('glances at the head', async () => {
    await expect(parser.glance(raw, owner)).resolves.toEqual({
      preview: 'See the picture. -- list footer',
      hasAttachments: true,
      code: null,
    });
  });

  it('glances at many at once, each for itself', async () => {
    const heads = Array.from({ length: 100 }, (_, i) => Buffer.from(`Subject: x\r\n\r\nNumber ${i}.`));
    const glances = await Promise.all(heads.map((head) => parser.glance(head, owner)));
    expect(glances.map(({ preview }) => preview)).toEqual(heads.map((_, i) => `Number ${i}.`));
  });

  it('lists what stands in each body, and nothing when that takes too long', async () => {
    const bodies = { text: 'https://b.example/', html: '<a href="https://a.example/">A</a>' };
    const { html, text } = await parser.contents(bodies, owner);
    expect(html.links).toEqual([{ href: 'https://a.example/', text: 'A' }]);
    expect(text.links).toEqual([{ href: 'https://b.example/', text: 'https://b.example/' }]);
    const long = { ...bodies, html: bodies.html.repeat(10_000) };
    expect((await createHurried().contents(long, owner)).html.links).toEqual([]);
    faults.length = 0;
  });

  it('answers a message that takes too long as failed, with what the header shows', async () => {
    const message = await createHurried().parse(large, { owner });
    expect(message.parse).toEqual({
      status: 'failed',
      reason: 'took longer than 0.001 s',
      isProvisional: true,
    });
    expect(message).toMatchObject({
      subject: 'large',
      from: { name: 'Ann', email: 'a@b.c' },
      text: '',
      html: null,
    });
    expect(faults).toEqual([{ request: 'parse', cause: 'slow', detail: 'took longer than 0.001 s' }]);
  });

  it('tells sender and subject of a message that was given away and then failed', async () => {
    const message = await createHurried().parse(Uint8Array.from(large), { owner, ownsRaw: true });
    expect(message).toMatchObject({
      subject: 'large',
      from: { email: 'a@b.c' },
      parse: { status: 'failed' },
    });
  });

  it('closes at once when it was never used', async () => {
    await expect(
      createReaderThreads({ parsing: 2, idleMs: 30_000, refuse, workerUrl }).close(),
    ).resolves.toBeUndefined();
  });
});
