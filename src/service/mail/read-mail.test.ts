import { describe, expect, it, vi } from 'vitest';

import { createGate } from '../../../test/support/gate.ts';
import { createRandom } from '../../../test/support/random.ts';
import {
  openServices,
  plainMail,
  type Services,
  toIncoming,
} from '../../../test/support/service/service-fixture.ts';
import { checkMail } from './check-mail.ts';
import { deleteMail } from '../changes/delete-mail.ts';
import { readAttachment, readMail, readRawMail } from './read-mail.ts';
import { receiveMessage } from '../receiving/receive-message.ts';
import { createSessionCaches } from './session-caches.ts';
import { turnOwner } from '../session/turn-owner.ts';
import type { OpenSession } from '../session/session-access.ts';
import { messageOf } from '#system-errors/error-message';

const notFound = expect.objectContaining({ code: 'message_not_found', parameter: 'id' });

async function openWithMail(
  options: Parameters<typeof openServices>[0] = {},
  raw: string | Buffer = plainMail('One'),
) {
  const services = await openServices(options);
  const session = await services.lend('fox');
  await services.deliver(raw, session);
  return { services, session };
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** A mail too large for one chunk, with bytes of every kind. */
function largeMail(sizeBytes: number): Buffer {
  const body = createRandom(11).bytes(4096);
  const header = Buffer.from('Subject: Large\r\n\r\n');
  return Buffer.concat(
    [header, ...Array.from({ length: Math.ceil(sizeBytes / 4096) }, () => body)],
    sizeBytes,
  );
}

async function readError(services: Services, session: OpenSession, id: number): Promise<unknown> {
  return readMail(services.deps, session, { id, marksRead: true }).then(
    () => 'found',
    (error: unknown) => messageOf(error),
  );
}

describe('readMail', () => {
  it('gives the summary, the parsed message and what came with it, and marks it read', async () => {
    const { services, session } = await openWithMail({}, plainMail('One', 'The fox jumps.'));
    const { listed, parsed, meta } = await readMail(services.deps, session, { id: 1, marksRead: true });
    expect(listed).toMatchObject({ id: 1, subject: 'One', preview: 'The fox jumps.', isRead: true });
    expect(parsed).toMatchObject({ text: 'The fox jumps.\n', parse: { status: 'ok' } });
    expect(meta.envelope).toEqual({ mailFrom: 'sender@example.org', rcptTo: ['fox@mayfly.test'] });
    expect(meta.source).toMatchObject({ remoteAddress: '192.0.2.7', helo: 'client.example' });
    expect((await services.store.mail.findMessage(session.key, 1))?.isRead).toBe(true);
  });

  it('parses a message once and keeps the result until the message is deleted', async () => {
    const { services, session } = await openWithMail();
    const first = await readMail(services.deps, session, { id: 1, marksRead: true });
    expect((await readMail(services.deps, session, { id: 1, marksRead: true })).parsed).toBe(first.parsed);
    expect(services.parserCalls.parse).toBe(1);
    await deleteMail(services.deps, session, 1);
    expect(services.deps.parsedMessages.get(session.key, '1')).toBeUndefined();
    await expect(readMail(services.deps, session, { id: 1, marksRead: true })).rejects.toThrow(notFound);
  });

  it('keeps apart messages of the same id of different sessions', async () => {
    const { services, session } = await openWithMail();
    const other = await services.lend();
    await services.deliver(plainMail('Other'), other);
    expect((await readMail(services.deps, session, { id: 1, marksRead: true })).parsed.subject).toBe('One');
    expect((await readMail(services.deps, other, { id: 1, marksRead: true })).parsed.subject).toBe('Other');
  });

  it('says the same of ids that are unknown, deleted, another session’s or no message', async () => {
    const { services, session } = await openWithMail();
    const other = await services.lend();
    await services.deliver(plainMail('Other'), other);
    await services.deliver(plainMail('Other'), other);
    await services.deliver(plainMail('Two'), session);
    await deleteMail(services.deps, session, 2);
    const ids = [2, 3, 4, 0, -1, 99, 2 ** 22, 2 ** 22 + 1, 2 ** 31, Number.MAX_SAFE_INTEGER];
    const answers = await Promise.all(ids.map((id) => readError(services, session, id)));
    expect(new Set(answers)).toEqual(
      new Set(['message_not_found: The session has no message with this id.']),
    );
    expect(await readError(services, other, 2)).toBe('found');
  });

  it('finds no message that is deleted while it is parsed, and keeps nothing of it', async () => {
    const gate = createGate();
    const { services, session } = await openWithMail({ beforeParsing: gate.pass });
    const reading = readMail(services.deps, session, { id: 1, marksRead: true });
    await gate.reached;
    await deleteMail(services.deps, session, 1);
    gate.open();
    await expect(reading).rejects.toThrow(notFound);
    expect(services.deps.parsedMessages.get(session.key, '1')).toBeUndefined();
  });

  it('finds no message that is deleted while its chunks are read', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(largeMail(2 * 1024 * 1024), session);
    const reading = readMail(services.deps, session, { id: 1, marksRead: true });
    await Promise.all([
      expect(reading).rejects.toThrow(notFound),
      services.store.mail.deleteMessage(session.key, 1),
    ]);
  });

  it('reads a message that no parser can read, and one without any bytes', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(createRandom(3).bytes(5000), session);
    await services.deliver('', session);
    expect((await readMail(services.deps, session, { id: 1, marksRead: true })).listed.id).toBe(1);
    expect((await readMail(services.deps, session, { id: 2, marksRead: true })).parsed).toMatchObject({
      text: '',
      subject: '',
    });
  });

  it('hands the parser bytes of their own, which it may give away', async () => {
    const { services, session } = await openWithMail();
    const seen: unknown[] = [];
    const parser: typeof services.deps.parser = {
      ...services.deps.parser,
      parse: (raw, options) => {
        seen.push(raw.byteLength === raw.buffer.byteLength, options);
        return services.deps.parser.parse(raw, options);
      },
    };
    await readMail({ ...services.deps, parser }, session, { id: 1, marksRead: true });
    expect(seen).toEqual([true, { owner: turnOwner(session), ownsRaw: true }]);
  });

  it('reads a new message once, for its glance too, which the next list shows', async () => {
    const { services, session } = await openWithMail({}, plainMail('One', 'The fox jumps.'));
    const glance = vi.spyOn(services.deps.parser, 'glance');
    await readMail(services.deps, session, { id: 1, marksRead: true });
    await vi.waitUntil(async () => (await services.store.mail.findMessage(session.key, 1))?.glance, 60_000);
    expect(await checkMail(services.deps, session)).toMatchObject([
      { preview: 'The fox jumps.', isRead: true },
    ]);
    expect(glance).not.toHaveBeenCalled();
  });

  it('has no more than four large messages in memory at once', async () => {
    const gate = createGate();
    const services = await openServices({ beforeParsing: gate.pass });
    const sessions = await Promise.all(Array.from({ length: 6 }, () => services.lend()));
    for (const session of sessions) await services.deliver(largeMail(1024 * 1024 + 1), session);
    const reads = sessions.map((session) => readAttachment(services.deps, session, { id: 1, part: '9' }));
    const refused = Promise.allSettled(reads);
    await gate.reached;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(services.parserCalls.parse).toBe(4);
    gate.open();
    expect((await refused).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    expect(services.parserCalls.parse).toBe(6);
  });

  it('has no more than one large message of a session in memory at once', async () => {
    const gate = createGate();
    const services = await openServices({ beforeParsing: gate.pass });
    const [session, other] = [await services.lend(), await services.lend()];
    for (let i = 0; i < 3; i++) await services.deliver(largeMail(1024 * 1024 + 1), session);
    await services.deliver(largeMail(1024 * 1024 + 1), other);
    const reads = [1, 2, 3].map((id) => readAttachment(services.deps, session, { id, part: '9' }));
    reads.push(readAttachment(services.deps, other, { id: 1, part: '9' }));
    const refused = Promise.allSettled(reads);
    await gate.reached;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(services.parserCalls.parse).toBe(2);
    gate.open();
    await refused;
    expect(services.parserCalls.parse).toBe(4);
  });

  it('tries again what could not be parsed in time', async () => {
    const { services, session } = await openWithMail();
    let isSlow = true;
    const parser: typeof services.deps.parser = {
      ...services.deps.parser,
      parse: async (raw, options) => {
        const message = await services.deps.parser.parse(raw, options);
        if (!isSlow) return message;
        return { ...message, text: '', parse: { status: 'failed', reason: 'slow', isProvisional: true } };
      },
    };
    const deps = { ...services.deps, parser };
    const read = () => readMail(deps, session, { id: 1, marksRead: true });
    expect((await read()).parsed.parse.status).toBe('failed');
    isSlow = false;
    expect((await read()).parsed.parse.status).toBe('ok');
  });

  it('keeps no more parsed messages than the cache’s bytes allow, headers and links counted', async () => {
    const services = await openServices();
    const session = await services.lend();
    const fields = Array.from({ length: 500 }, (_, i) => `X-${i}: ${'h'.repeat(200)}\r\n`).join('');
    for (let i = 0; i < 3; i++) await services.deliver(`${fields}\r\nbody`, session);
    const { parsedMessages } = createSessionCaches({ parsedBytes: 600_000 });
    for (const id of [1, 2, 3]) {
      await readMail({ ...services.deps, parsedMessages }, session, { id, marksRead: true });
    }
    const kept = [1, 2, 3].filter((id) => parsedMessages.get(session.key, String(id)));
    expect(kept).toEqual([2, 3]);
  });
});

describe('readRawMail', () => {
  it('gives our trace fields, then the bytes exactly as they came', async () => {
    const raw = Buffer.concat([
      Buffer.from('Subject: x\r\n\r\n.\r\n..\r\n'),
      Buffer.from([0, 255, 10, 13, 128]),
    ]);
    const services = await openServices();
    const session = await services.lend('fox');
    await services.deliver(raw, session);
    const { sizeBytes, pieces } = await readRawMail(services.deps, session, 1);
    const bytes = await collect(pieces);
    expect(bytes).toHaveLength(sizeBytes);
    expect(bytes.subarray(-raw.length).equals(raw)).toBe(true);
    const trace = bytes.subarray(0, -raw.length).toString();
    expect(trace).toMatch(
      /^Return-Path: <sender@example\.org>\r\nReceived: from client\.example \(\[192\.0\.2\.7\]\)\r\n\tby mx\.mayfly\.test with ESMTP id \w+\r\n\tfor <fox@mayfly\.test>;\r\n\tThu, 01 Jan 2026 00:00:00 \+0000\r\n$/,
    );
  });

  it('does not mark the message read', async () => {
    const { services, session } = await openWithMail();
    await collect((await readRawMail(services.deps, session, 1)).pieces);
    expect((await services.store.mail.findMessage(session.key, 1))?.isRead).toBe(false);
  });

  it('streams a message of many chunks', async () => {
    const raw = largeMail(3 * 1024 * 1024 + 17);
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(raw, session);
    const { sizeBytes, pieces } = await readRawMail(services.deps, session, 1);
    const bytes = await collect(pieces);
    expect(bytes.subarray(sizeBytes - raw.length).equals(raw)).toBe(true);
  });

  it('tells every reader one recipient’s own address at most', async () => {
    const services = await openServices();
    const [one, other] = [await services.lend('one'), await services.lend('other')];
    await services.deliver(plainMail('Both'), one, other);
    const bytes = await collect((await readRawMail(services.deps, one, 1)).pieces);
    expect(bytes.toString()).not.toContain('other@mayfly.test');
  });

  it('adds no field of the sender’s making', async () => {
    const services = await openServices();
    const session = await services.lend();
    const evil = 'x\r\nX-Evil: 1\r\n\r\n';
    const message = toIncoming(plainMail('One'), { mailFrom: evil, rcptTo: [evil] }, { helo: evil });
    await receiveMessage(services.deps, message, [session]);
    const bytes = await collect((await readRawMail(services.deps, session, 1)).pieces);
    const header = bytes.toString().split('\r\n\r\n')[0] ?? '';
    const names = header.split(/\r\n(?![ \t])/).map((field) => field.split(':')[0]);
    expect(names).toEqual(['Return-Path', 'Received', 'From', 'Subject']);
  });

  it('does not know messages that are not there', async () => {
    const { services, session } = await openWithMail();
    const other = await services.lend();
    await expect(readRawMail(services.deps, other, 1)).rejects.toThrow(notFound);
    await expect(readRawMail(services.deps, session, 2)).rejects.toThrow(notFound);
  });
});

describe('readAttachment', () => {
  const mail =
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n' +
    'Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC/w==\r\n--b--\r\n';

  it('gives the bytes of the attachment that read-mail lists', async () => {
    const { services, session } = await openWithMail({}, mail);
    const [attachment] = (await readMail(services.deps, session, { id: 1, marksRead: true })).parsed
      .attachments;
    const opened = await readAttachment(services.deps, session, { id: 1, part: attachment?.id ?? '' });
    expect(opened).toMatchObject({ filename: 'a.pdf', contentType: 'application/pdf', sizeBytes: 4 });
    expect([...(await collect(opened.pieces))]).toEqual([0, 1, 2, 255]);
  });

  it.each(['base64', 'quoted-printable', '8bit'])(
    'gives a file of many chunks as it was (%s)',
    async (encoding) => {
      const file = createRandom(13).bytes(1_500_000);
      const encoded = {
        base64: file.toString('base64').replace(/.{76}/g, '$&\r\n'),
        'quoted-printable': file.toString('hex').replace(/../g, '=$&').replace(/.{75}/g, '$&=\r\n'),
        '8bit': file.toString('latin1').replace(/[\r\n-]/g, '.'),
      }[encoding];
      const part = `Content-Type: a/b\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${encoded}`;
      const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n${part}\r\n--b--`;
      const { services, session } = await openWithMail({}, Buffer.from(raw, 'latin1'));
      const { sizeBytes, pieces } = await readAttachment(services.deps, session, { id: 1, part: '2' });
      const bytes = await collect(pieces);
      expect(bytes.length).toBe(sizeBytes);
      expect(bytes.equals(encoding === '8bit' ? Buffer.from(encoded ?? '', 'latin1') : file)).toBe(true);
    },
  );

  it('parses once for many who ask at once, and not for who comes later', async () => {
    const { services, session } = await openWithMail({}, mail);
    const opened = await Promise.all(
      [1, 2, 3].map(() => readAttachment(services.deps, session, { id: 1, part: '2' })),
    );
    for (const { pieces } of opened) expect(await collect(pieces)).toHaveLength(4);
    await readAttachment(services.deps, session, { id: 1, part: '2' });
    expect(services.parserCalls.parse).toBe(1);
  });

  it('breaks off when the message goes while it is taken', async () => {
    const { services, session } = await openWithMail(
      {},
      Buffer.concat([Buffer.from(`${mail.slice(0, -12)}`), Buffer.alloc(600_000, 'QUJD')]),
    );
    const { pieces } = await readAttachment(services.deps, session, { id: 1, part: '2' });
    const taken = pieces[Symbol.asyncIterator]();
    await taken.next();
    await deleteMail(services.deps, session, 1);
    await expect(
      (async () => {
        while (!(await taken.next()).done);
      })(),
    ).rejects.toThrow(notFound);
  });

  it('tells a wrong part from a wrong message', async () => {
    const { services, session } = await openWithMail({}, mail);
    for (const part of ['', '0', '1', '3', 'raw', '../2', '__proto__']) {
      await expect(readAttachment(services.deps, session, { id: 1, part })).rejects.toThrow(
        expect.objectContaining({ code: 'attachment_not_found', parameter: 'part' }),
      );
    }
    await expect(readAttachment(services.deps, session, { id: 2, part: '2' })).rejects.toThrow(notFound);
  });
});

describe('caches of a session’s mail', () => {
  it('is forgotten when the session ends', async () => {
    const { services, session } = await openWithMail({}, 'Content-Type: text/html\r\n\r\n<p>x');
    const { lists, parsedMessages, safeHtml } = services.deps;
    await checkMail(services.deps, session, { limit: 5 });
    await readMail(services.deps, session, { id: 1, marksRead: true });
    const kept = () => [
      lists.get(session.key, ',,5'),
      parsedMessages.get(session.key, '1'),
      safeHtml.get(session.key, '1 none'),
    ];
    expect(kept().every((one) => one !== undefined)).toBe(true);
    await services.store.mail.endSession(session.key);
    expect(kept()).toEqual([undefined, undefined, undefined]);
  });

  it('is not kept when the session ends while it is made', async () => {
    const gate = createGate();
    const { services, session } = await openWithMail({ beforeParsing: gate.pass });
    const reading = readMail(services.deps, session, { id: 1, marksRead: true });
    const listing = checkMail(services.deps, session, { limit: 5 });
    await gate.reached;
    await services.store.mail.endSession(session.key);
    gate.open();
    await Promise.allSettled([reading, listing]);
    expect(services.deps.parsedMessages.get(session.key, '1')).toBeUndefined();
    expect(services.deps.lists.get(session.key, ',,5')).toBeUndefined();
  });
});

describe('deleteMail', () => {
  it('is message_not_found the second time, and for another session’s message', async () => {
    const { services, session } = await openWithMail();
    const other = await services.lend();
    await expect(deleteMail(services.deps, other, 1)).rejects.toThrow(notFound);
    await deleteMail(services.deps, session, 1);
    await expect(deleteMail(services.deps, session, 1)).rejects.toThrow(notFound);
    expect((await services.refresh(session)).messageCount).toBe(0);
  });

  it('succeeds for one of several who delete at once', async () => {
    const { services, session } = await openWithMail();
    const deleted = await Promise.allSettled([1, 1, 1].map((id) => deleteMail(services.deps, session, id)));
    expect(deleted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
