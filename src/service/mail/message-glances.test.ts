import { describe, expect, it } from 'vitest';

import { createGate } from '../../../test/support/gate.ts';
import { override } from '../../../test/support/override.ts';
import { openServices, plainMail, type Services } from '../../../test/support/service/service-fixture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import type { StoredMessage } from '../../store/mail-store.ts';
import { checkMail } from './check-mail.ts';
import { createMessageGlances } from './message-glances.ts';
import { readMail } from './read-mail.ts';

const owner = { session: 'a', network: '192.0.2.1' };

async function findStored({ store }: Services, session: Session, id = 1): Promise<StoredMessage> {
  const stored = await store.mail.findMessage(session.key, id);
  if (!stored) throw new Error('There is no such message.');
  return stored;
}

function createGlances({ store, deps: { turns } }: Services, parser: MessageParser) {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  return Object.assign(createMessageGlances({ mail: store.mail, turns, parser, onError }), { errors });
}

type PartLines = readonly [header: string, body: string];

const picture = (bytes: number): PartLines => [
  'Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Disposition: inline',
  'x'.repeat(bytes),
];
const pdf = (bytes: number): PartLines => [
  'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=i.pdf',
  'x'.repeat(bytes),
];

function mixedMail(...parts: readonly PartLines[]): string {
  const lines = parts.map(
    ([header, body]) => `--b\r\n${header === '' ? '' : `${header}\r\n`}\r\n${body}\r\n`,
  );
  return `From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${lines.join('')}--b--\r\n`;
}

async function openWithMail(options: Parameters<typeof openServices>[0] = {}) {
  const services = await openServices(options);
  const session = await services.lend();
  await services.deliver(plainMail('One', 'The fox jumps.'), session);
  return { services, session: await services.refresh(session) };
}

describe('a glance', () => {
  it('is made when the message is first listed, and kept for the next time and the next process', async () => {
    const { services, session } = await openWithMail();
    expect((await findStored(services, session)).glance).toBeNull();
    const [listed] = await checkMail(services.deps, session);
    expect(listed?.preview).toBe('The fox jumps.');
    await services.deps.glances.close();
    expect((await findStored(services, session)).glance).not.toBeNull();
    await checkMail(services.deps, session, { limit: 5 });
    await services.store.reopen();
    const glances = createGlances(services, services.deps.parser);
    expect(await glances.glance(session, await findStored(services, session))).toEqual({
      preview: 'The fox jumps.',
      code: null,
      hasAttachments: false,
    });
    expect(services.parserCalls.glance).toBe(1);
  });

  it('is kept sealed', async () => {
    const { services, session } = await openWithMail();
    await checkMail(services.deps, session);
    await services.deps.glances.close();
    expect((await findStored(services, session)).glance?.toString()).not.toContain('fox');
    for (const file of await services.store.dataFiles()) expect(file.includes('The fox jumps.')).toBe(false);
  });

  it('is made once for two who list at once', async () => {
    const gate = createGate();
    const { services, session } = await openWithMail({ beforeParsing: gate.pass });
    const lists = [checkMail(services.deps, session), checkMail(services.deps, session, { limit: 1 })];
    await gate.reached;
    gate.open();
    const [one, other] = await Promise.all(lists);
    expect(one).toEqual(other);
    expect(services.parserCalls.glance).toBe(1);
  });

  it('is no change of the list', async () => {
    const { services, session } = await openWithMail();
    await checkMail(services.deps, session);
    await services.deps.glances.close();
    expect((await services.refresh(session)).version).toBe(session.version);
  });

  it('is made of the first 64 KiB alone where they show a code, a file and text enough', async () => {
    const services = await openServices();
    const session = await services.lend();
    const [text, file] = [`Your verification code is 482913. ${'x '.repeat(3_000)}`, 'QUJD'.repeat(100_000)];
    await services.deliver(mixedMail(['', text], ['Content-Type: application/pdf', file]), session);
    const sizes: number[] = [];
    const parser = {
      ...services.deps.parser,
      glance: (head: Uint8Array) => {
        sizes.push(head.byteLength, head.buffer.byteLength);
        return services.deps.parser.glance(head, owner);
      },
    };
    const glances = createGlances(services, parser);
    const glance = await glances.glance(session, await findStored(services, session));
    expect(glance).toMatchObject({ code: '482913', hasAttachments: true });
    expect(sizes).toEqual([65_536, 65_536]);
    expect(services.parserCalls.examine).toBe(0);
  });

  it.each([
    [
      'a file after a picture',
      [['Content-Type: text/html', 'Invoice <img src="cid:a">'], picture(100_000), pdf(10)],
      { preview: 'Invoice', hasAttachments: true, code: null },
    ],
    [
      'a text after a file',
      [pdf(300_000), ['', 'Your code is 482913']],
      { preview: 'Your code is 482913', hasAttachments: true, code: '482913' },
    ],
    [
      'a text after a text and a file',
      [['', 'Hello'], pdf(300_000), ['', 'Your code is 482913']],
      { preview: 'Hello Your code is 482913', hasAttachments: true, code: '482913' },
    ],
    [
      'nothing after a picture',
      [['', 'Hello'], picture(100_000)],
      { preview: 'Hello', hasAttachments: false, code: null },
    ],
  ] as const)('is made of the whole message for what its first bytes lack: %s', async (_, parts, shown) => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(mixedMail(...parts), session);
    expect(await services.deps.glances.glance(session, await findStored(services, session))).toEqual(shown);
    await services.deps.glances.close();
    const stored = await findStored(services, session);
    expect(await services.deps.glances.glance(session, stored)).toEqual(shown);
    expect(services.parserCalls.examine).toBe(1);
  });

  it('says that it is unknown what a message holds that cannot be read to its end', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(mixedMail(['', 'Hello'], picture(100_000)), session);
    const parser = { ...services.deps.parser, examine: () => Promise.resolve(undefined) };
    const glances = createGlances(services, parser);
    const partial = { preview: 'Hello', hasAttachments: null, code: null, isPartial: true };
    expect(await glances.glance(session, await findStored(services, session))).toEqual(partial);
    await glances.close();
    const deps = { ...services.deps, glances };
    expect(await checkMail(deps, await services.refresh(session))).toMatchObject([partial]);
    const read = await readMail(services.deps, session, { id: 1, marksRead: false });
    expect(read.listed).toMatchObject({ hasAttachments: false });
    expect(read.listed).not.toHaveProperty('isPartial');
  });

  it('is made again for a message that could not be read to its end for lack of room', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(mixedMail(['', 'Hello'], picture(100_000)), session);
    const examine = () => Promise.reject(new MayflyError('unavailable', 'Busy.'));
    const glances = createGlances(services, { ...services.deps.parser, examine });
    const stored = await findStored(services, session);
    expect(await glances.glance(session, stored)).toMatchObject({
      hasAttachments: null,
      isProvisional: true,
    });
    await glances.close();
    expect((await findStored(services, session)).glance).toBeNull();
  });

  it('is empty for an empty message', async () => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver('', session);
    const glance = await services.deps.glances.glance(session, await findStored(services, session));
    expect(glance).toEqual({ preview: '', code: null, hasAttachments: false });
  });

  it('is undefined for a message that went meanwhile, and the list leaves it out', async () => {
    const gate = createGate();
    const { services, session } = await openWithMail({ beforeParsing: gate.pass });
    const stored = await findStored(services, session);
    await services.store.mail.deleteMessage(session.key, 1);
    expect(await services.deps.glances.glance(session, stored)).toBeUndefined();
    expect(await checkMail(services.deps, session)).toEqual([]);
    expect(services.parserCalls.glance).toBe(0);
  });

  it('leaves nothing behind when the message goes while it is made', async () => {
    const gate = createGate();
    const { services, session } = await openWithMail({ beforeParsing: gate.pass });
    const made = services.deps.glances.glance(session, await findStored(services, session));
    await gate.reached;
    await services.store.mail.endSession(session.key);
    while (await services.store.mail.reclaim(5));
    gate.open();
    await made;
    await services.deps.glances.close();
    expect((await services.store.countRows()).content).toBe(0);
  });

  it('is tried again after a failure', async () => {
    const { services, session } = await openWithMail();
    let isBusy = true;
    const parser = {
      ...services.deps.parser,
      glance: (head: Uint8Array) =>
        isBusy
          ? Promise.reject(new MayflyError('unavailable', 'Busy.'))
          : services.deps.parser.glance(head, owner),
    };
    const glances = createGlances(services, parser);
    const stored = await findStored(services, session);
    await expect(glances.glance(session, stored)).rejects.toThrow('Busy.');
    isBusy = false;
    expect((await glances.glance(session, stored))?.preview).toBe('The fox jumps.');
  });

  it('is handed out before it is kept, once for all who look meanwhile', async () => {
    const { services, session } = await openWithMail();
    const gate = createGate();
    const mail = override(services.store.mail, {
      keepGlance: async (...args) => {
        await gate.pass();
        await services.store.mail.keepGlance(...args);
      },
    });
    const glances = createGlances({ ...services, store: { ...services.store, mail } }, services.deps.parser);
    const stored = await findStored(services, session);
    expect((await glances.glance(session, stored))?.preview).toBe('The fox jumps.');
    expect((await glances.glance(session, stored))?.preview).toBe('The fox jumps.');
    expect(services.parserCalls.glance).toBe(1);
    expect((await findStored(services, session)).glance).toBeNull();
    gate.open();
    await glances.close();
    expect((await findStored(services, session)).glance).not.toBeNull();
  });

  it('is returned when it cannot be stored, logged, and made again later', async () => {
    const { services, session } = await openWithMail();
    const mail = override(services.store.mail, { keepGlance: () => Promise.reject(new Error('full')) });
    const glances = createGlances({ ...services, store: { ...services.store, mail } }, services.deps.parser);
    const stored = await findStored(services, session);
    for (const made of [1, 2]) {
      expect((await glances.glance(session, stored))?.preview).toBe('The fox jumps.');
      await glances.close();
      expect(services.parserCalls.glance).toBe(made);
    }
    expect(glances.errors).toEqual([new Error('full'), new Error('full')]);
  });

  it('that could not be made in time is made again at the next look, by a list too', async () => {
    const { services, session } = await openWithMail();
    let isSlow = true;
    const parser = {
      ...services.deps.parser,
      glance: async (head: Uint8Array) =>
        isSlow
          ? ({ preview: '', hasAttachments: false, code: null, isProvisional: true } as const)
          : services.deps.parser.glance(head, owner),
    };
    const deps = { ...services.deps, glances: createGlances(services, parser) };
    const list = async () => (await checkMail(deps, await services.refresh(session)))[0];
    expect(await list()).toMatchObject({ preview: '', isProvisional: true });
    isSlow = false;
    expect((await list())?.preview).toBe('The fox jumps.');
  });

  it('waits for its turn: no more than 64 are with the parser', async () => {
    const gate = createGate();
    const services = await openServices({ beforeParsing: gate.pass });
    const sessions = [await services.lend(), await services.lend(), await services.lend()];
    for (let i = 0; i < 40; i++) await services.deliver(plainMail('Mail'), ...sessions);
    const [first, ...others] = await Promise.all(sessions.map((session) => services.refresh(session)));
    if (!first) throw new Error('There is a session.');
    const lists = [checkMail(services.deps, first)];
    await gate.reached;
    await new Promise((resolve) => setImmediate(resolve));
    // A list leaves room for others.
    expect(services.parserCalls.glance).toBe(32);
    lists.push(...others.map((session) => checkMail(services.deps, session)));
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(services.parserCalls.glance).toBe(64);
    gate.open();
    expect((await Promise.all(lists)).map(({ length }) => length)).toEqual([40, 40, 40]);
    expect(services.parserCalls.glance).toBe(120);
  });
});
