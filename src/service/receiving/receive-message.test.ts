import { describe, expect, it } from 'vitest';

import { hourMs } from '../../../test/contract/store-fixture.ts';
import { createKeptMailbox } from '../../../test/support/service/kept-mailbox.ts';
import {
  openServices,
  plainMail,
  type Services,
  toIncoming,
} from '../../../test/support/service/service-fixture.ts';
import type { Session } from '../../domain/session.ts';
import type { OperatorMailbox } from '../../store/operator-mailbox.ts';
import { openMeta } from '../session/open-meta.ts';
import { receiveMessage } from './receive-message.ts';
import type { OpenSession } from '../session/session-access.ts';

async function metaOf({ store }: Services, session: OpenSession, id = 1) {
  const stored = await store.mail.findMessage(session.key, id);
  if (!stored) throw new Error('There is no such message.');
  return openMeta(session, stored);
}

describe('receiveMessage', () => {
  it('keeps summary, envelope and source sealed under the session’s key', async () => {
    const services = await openServices();
    const session = await services.lend('fox');
    const message = toIncoming(plainMail('Marker of a subject'), {}, { helo: 'marker.helo' });
    const { outcome, ingestId } = await receiveMessage(services.deps, message, [session]);
    expect(outcome).toBe('stored');
    expect(await metaOf(services, session)).toEqual({
      senderName: 'Quiet Fox',
      senderEmail: 'fox@example.org',
      subject: 'Marker of a subject',
      envelope: message.envelope,
      source: message.source,
      ingestId,
    });
    for (const file of await services.store.dataFiles()) {
      for (const marker of ['Marker', 'marker.helo', 'sender@example.org']) {
        expect(file.includes(marker)).toBe(false);
      }
    }
  });

  it('gives every message an id of its own', async () => {
    const services = await openServices();
    const session = await services.lend();
    const results = await Promise.all(
      Array.from({ length: 100 }, () => receiveMessage(services.deps, toIncoming('a: b\r\n'), [session])),
    );
    const ids = results.map(({ ingestId }) => ingestId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{16}$/);
  });

  it.each([
    ['From: A <a@b.example>\r\n\r\n', 'sender@example.org', 'a@b.example'],
    ['Subject: no From\r\n\r\n', 'sender@example.org', 'sender@example.org'],
    ['From: undisclosed\r\n\r\n', 'sender@example.org', 'sender@example.org'],
    ['', 'sender@example.org', 'sender@example.org'],
    ['Subject: a bounce\r\n\r\n', null, ''],
  ])('takes the sender of %j with envelope sender %s for %j', async (raw, mailFrom, senderEmail) => {
    const services = await openServices();
    const session = await services.lend();
    await receiveMessage(services.deps, toIncoming(raw, { mailFrom }), [session]);
    expect((await metaOf(services, session)).senderEmail).toBe(senderEmail);
  });

  it('stores one message for a recipient that is named twice, and tells each of its own recipients', async () => {
    const services = await openServices();
    const [session, other] = [await services.lend('fox'), await services.lend()];
    // As two RCPT give it: two values that are one session.
    const again = { ...session, key: session.key.slice() as typeof session.key };
    const message = toIncoming(plainMail('One'), {
      rcptTo: ['fox@mayfly.test', 'FOX@mayfly.test', other.address],
    });
    await receiveMessage(services.deps, message, [session, again, other]);
    expect((await services.refresh(session)).messageCount).toBe(1);
    expect((await services.refresh(other)).messageCount).toBe(1);
    const own = ['fox@mayfly.test', 'FOX@mayfly.test'];
    expect((await metaOf(services, session)).envelope.rcptTo).toEqual(own);
    expect((await metaOf(services, other)).envelope.rcptTo).toEqual([other.address]);
  });
});

describe('a message that goes round', () => {
  const hop = 'Received: from a.example by b.example;\r\n\tMon, 1 Jan 2024 00:00:00 +0000\r\n';

  it.each([
    ['100 hops', hop.repeat(100), 'looping'],
    ['100 hops, in any case', hop.toLowerCase().repeat(50) + hop.toUpperCase().repeat(50), 'looping'],
    ['100 hops among other fields', `Subject: x\r\n${`X-Hop: 1\r\n${hop}`.repeat(100)}`, 'looping'],
    ['99 hops', hop.repeat(99), 'stored'],
    ['99 hops and fields of like names', hop.repeat(99) + 'X-Received: a\r\nReceived-SPF: b\r\n', 'stored'],
    ['99 hops and one in its text', `${hop.repeat(99)}\r\n${hop}`, 'stored'],
  ])('with %s', async (_, header, outcome) => {
    const services = await openServices();
    const session = await services.lend();
    const message = toIncoming(`${header}\r\ntext\r\n`);
    expect((await receiveMessage(services.deps, message, [session])).outcome).toBe(outcome);
    expect((await services.refresh(session)).messageCount).toBe(outcome === 'stored' ? 1 : 0);
  });
});

describe('the outcome', () => {
  async function openThree() {
    const services = await openServices({ limits: { sessionMessages: 1 } });
    const [live, full, ended] = [await services.lend(), await services.lend(), await services.lend()];
    await services.deliver('a: b\r\n', full);
    await services.store.mail.endSession(ended.key);
    const receive = async (sessions: readonly Session[]): Promise<string> =>
      (await receiveMessage(services.deps, toIncoming('a: b\r\n'), sessions)).outcome;
    return { services, live, full, ended, receive };
  }

  it('is full when a live session was, and then none has the message', async () => {
    const { services, live, full, ended, receive } = await openThree();
    for (const sessions of [[full], [ended, full], [live, full], [full, live], [ended, full, live]]) {
      expect(await receive(sessions)).toBe('full');
    }
    expect((await services.refresh(live)).messageCount).toBe(0);
    expect((await services.refresh(full)).messageCount).toBe(1);
  });

  it('is stored when a session has the message and the others have ended, which are counted', async () => {
    const { services, live, ended } = await openThree();
    const gone = await services.lend();
    await services.store.mail.endSession(gone.key);
    const result = await receiveMessage(services.deps, toIncoming('a: b\r\n'), [ended, live, gone]);
    expect(result).toMatchObject({ outcome: 'stored', ended: 2 });
    expect((await services.refresh(live)).messageCount).toBe(1);
  });

  it('is ended when all have', async () => {
    const { ended, receive } = await openThree();
    expect(await receive([ended])).toBe('ended');
  });

  it('is ended for a session that expired between RCPT and the end of data', async () => {
    const { services, live, receive } = await openThree();
    services.store.clock.advance(hourMs);
    expect(await receive([live])).toBe('ended');
  });

  it('is stored for a message of any size while the session is below its quota', async () => {
    const services = await openServices({ limits: { sessionBytes: 100 } });
    const session = await services.lend();
    const receive = async (length: number): Promise<string> =>
      (await receiveMessage(services.deps, toIncoming('x'.repeat(length)), [session])).outcome;
    expect(await receive(60)).toBe('stored');
    expect(await receive(39)).toBe('stored');
    expect(await receive(101)).toBe('stored');
    expect(await receive(1)).toBe('full');
  });

  it('is a rejection when nothing was stored for a fault', async () => {
    const services = await openServices();
    const session = await services.lend();
    const message = toIncoming(`a: b\r\n\r\n${'x'.repeat(100_000)}`);
    const raw = {
      ...message.raw,
      pieces: (): never => {
        throw new Error('The spill file is gone.');
      },
    };
    await expect(receiveMessage(services.deps, { ...message, raw }, [session])).rejects.toThrow('spill file');
    expect((await services.refresh(session)).messageCount).toBe(0);
  });
});

describe('a message for sessions and the operator', () => {
  it('is in no session when the operator’s mailbox fails, and in each once when the sender comes again', async () => {
    const services = await openServices();
    const [live, ended] = [await services.lend(), await services.lend()];
    await services.store.mail.endSession(ended.key);
    let isFailing = true;
    const kept = createKeptMailbox();
    const operatorMailbox: OperatorMailbox = {
      ...kept,
      deliver: (message) =>
        isFailing ? Promise.reject(new Error('No room in the mailbox.')) : kept.deliver(message),
    };
    const receive = () =>
      receiveMessage({ ...services.deps, operatorMailbox }, toIncoming('a: b\r\n'), [
        live,
        ended,
        'operator',
      ]);
    await expect(receive()).rejects.toThrow('No room in the mailbox.');
    expect((await services.refresh(live)).messageCount).toBe(0);
    isFailing = false;
    expect(await receive()).toMatchObject({ outcome: 'stored', ended: 1 });
    expect((await services.refresh(live)).messageCount).toBe(1);
    expect(kept.messages).toHaveLength(1);
  });

  it('is in none of them when a session or the operator’s mailbox is full', async () => {
    const services = await openServices({ limits: { sessionMessages: 1 } });
    const [live, full] = [await services.lend(), await services.lend()];
    await services.deliver('a: b\r\n', full);
    const kept = createKeptMailbox();
    const receive = async (
      operatorMailbox: OperatorMailbox,
      sessions: readonly Session[],
    ): Promise<string> => {
      const deps = { ...services.deps, operatorMailbox };
      return (await receiveMessage(deps, toIncoming('a: b\r\n'), [...sessions, 'operator'])).outcome;
    };
    expect(await receive(kept, [live, full])).toBe('full');
    expect(await receive({ ...kept, deliver: () => Promise.resolve('full') }, [live])).toBe('full');
    expect((await services.refresh(live)).messageCount).toBe(0);
    expect(kept.messages).toEqual([]);
    expect(await receive(kept, [live])).toBe('stored');
    expect((await services.refresh(live)).messageCount).toBe(1);
    expect(kept.messages).toHaveLength(1);
  });

  it('leaves no copy with the operator when the sessions’ store fails', async () => {
    const services = await openServices();
    const session = await services.lend();
    const operatorMailbox = createKeptMailbox();
    const mail = Object.create(services.deps.mail) as typeof services.deps.mail;
    mail.deliver = () => Promise.reject(new Error('disk'));
    const deps = { ...services.deps, operatorMailbox, mail };
    await expect(receiveMessage(deps, toIncoming('a: b\r\n'), [session, 'operator'])).rejects.toThrow('disk');
    expect(operatorMailbox.messages).toEqual([]);
  });
});
