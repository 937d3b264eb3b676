import { unknownRemote } from '#gmail-aliases/read-trace';
import { describe, expect, it } from 'vitest';

import { addHealthyAccount } from '../../../test/support/gmail/gmail-account.ts';
import { openServices, plainMail, type Services } from '../../../test/support/service/service-fixture.ts';
import type { Session } from '../../domain/session.ts';
import { checkMail } from '../mail/check-mail.ts';
import { createSession } from '../addresses/create-session.ts';
import { readMail, readRawMail } from '../mail/read-mail.ts';
import {
  type FetchedMessage,
  receiveGmailMessage,
  refuseLargeGmailMessage,
} from './receive-gmail-message.ts';
import type { OpenSession } from '../session/session-access.ts';

const remote = { remoteAddress: '192.0.2.25', helo: 'mail.example.org', tls: 'TLSv1.3' };

function fetched(sessions: readonly Session[], given: Partial<FetchedMessage> = {}): FetchedMessage {
  return {
    sessions,
    mailFrom: 'bounce@example.org',
    remote,
    isSpam: false,
    origin: Buffer.alloc(16, 'a'),
    pieces: [Buffer.from(plainMail('Your code is 123456'))],
    ...given,
  };
}

async function open(limits = {}): Promise<Services & { lendAlias(): Promise<OpenSession> }> {
  const services = await openServices({ limits });
  await addHealthyAccount(services.store, 'quiet.fox@gmail.com');
  return {
    ...services,
    lendAlias: async () => (await createSession(services.deps, { useGmail: true })).session,
  };
}

describe('a fetched message', () => {
  it('is listed and read as one that came over SMTP, with what its server says of where it came from', async () => {
    const { deps, lendAlias, refresh } = await open();
    const session = await lendAlias();
    expect(await receiveGmailMessage(deps, fetched([session]))).toEqual(['stored']);
    const live = await refresh(session);
    expect(await checkMail(deps, live)).toMatchObject([
      {
        id: 1,
        senderEmail: 'fox@example.org',
        subject: 'Your code is 123456',
        code: '123456',
        isSpam: false,
      },
    ]);
    const { meta } = await readMail(deps, live, { id: 1, marksRead: true });
    expect(meta.envelope).toEqual({ mailFrom: 'bounce@example.org', rcptTo: [session.address] });
    expect(meta.source).toEqual({ protocol: 'IMAP', ...remote });
  });

  it('is raw exactly as fetched, in however many pieces, without fields of ours', async () => {
    const { deps, lendAlias, refresh } = await open();
    const session = await lendAlias();
    const whole = Buffer.from(plainMail('Large', 'x'.repeat(700_000)));
    const pieces = Array.from({ length: 71 }, (_, at) => whole.subarray(at * 10_000, (at + 1) * 10_000));
    await receiveGmailMessage(deps, fetched([session], { pieces }));
    const raw = await readRawMail(deps, await refresh(session), 1);
    const read: Buffer[] = [];
    for await (const piece of raw.pieces) read.push(piece);
    expect(Buffer.concat(read).equals(whole)).toBe(true);
    expect(raw.sizeBytes).toBe(whole.length);
  });

  it('says so when it was in the spam folder', async () => {
    const { deps, lendAlias, refresh } = await open();
    const session = await lendAlias();
    await receiveGmailMessage(deps, fetched([session], { isSpam: true }));
    const live = await refresh(session);
    expect(await checkMail(deps, live)).toMatchObject([{ isSpam: true }]);
    expect((await readMail(deps, live, { id: 1, marksRead: true })).listed.isSpam).toBe(true);
  });

  it('reaches every session once, however often it is fetched', async () => {
    const { deps, lendAlias, refresh } = await open();
    const [one, other, late] = [await lendAlias(), await lendAlias(), await lendAlias()];
    expect(await receiveGmailMessage(deps, fetched([one, other]))).toEqual(['stored', 'stored']);
    expect(await receiveGmailMessage(deps, fetched([late, one]))).toEqual(['stored', 'duplicate']);
    await deps.mail.deleteMessage(one.key, 1);
    expect(await receiveGmailMessage(deps, fetched([one]))).toEqual(['duplicate']);
    expect((await refresh(other)).messageCount).toBe(1);
    expect((await refresh(one)).messageCount).toBe(0);
  });

  it('is not stored for a session that has ended, nor for one that is full, whose log says so', async () => {
    const { deps, lendAlias, refresh, deliver, store } = await open({ sessionMessages: 1 });
    const [ended, full, well] = [await lendAlias(), await lendAlias(), await lendAlias()];
    await store.mail.endSession(ended.key);
    await deliver(plainMail('First'), full);
    expect(await receiveGmailMessage(deps, fetched([ended, full, well]))).toEqual([
      'ended',
      'full',
      'stored',
    ]);
    expect(await deps.deliveryLog.listAttempts(await refresh(full))).toMatchObject([
      { outcome: 'accepted' },
      {
        outcome: 'refused',
        reply: '452 4.2.2 Recipient is over quota',
        remoteAddress: '192.0.2.25',
        mailFrom: 'bounce@example.org',
      },
    ]);
    expect(await deps.deliveryLog.listAttempts(await refresh(well))).toMatchObject([
      { outcome: 'accepted', reply: expect.stringMatching(/^Fetched over IMAP as \w+$/) as string },
    ]);
  });

  it('is not stored at all when the store fails, so that it can be fetched again', async () => {
    const { deps, lendAlias, refresh } = await open();
    const session = await lendAlias();
    const mail = Object.create(deps.mail) as typeof deps.mail;
    mail.deliver = () => Promise.reject(new Error('disk'));
    await expect(receiveGmailMessage({ ...deps, mail }, fetched([session]))).rejects.toThrow('disk');
    expect(await receiveGmailMessage(deps, fetched([session]))).toEqual(['stored']);
    expect((await refresh(session)).messageCount).toBe(1);
  });
});

it('records a message over the size limit in the delivery log, without its body', async () => {
  const { deps, lendAlias, refresh } = await open();
  const session = await lendAlias();
  const envelope = { sessions: [session], mailFrom: null, remote: unknownRemote };
  refuseLargeGmailMessage(deps, envelope, 99_000_000);
  expect(await deps.deliveryLog.listAttempts(await refresh(session))).toMatchObject([
    { outcome: 'refused', reply: '552 5.3.4 Message is too big', sizeBytes: 99_000_000, remoteAddress: '' },
  ]);
});
