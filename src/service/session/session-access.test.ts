import { describe, expect, it } from 'vitest';

import { dayMs, hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { ReadingKey } from '#sealing/reading-key';
import { ticketLifetimeMs } from '#sealing/ticket';
import { createToken } from '#sealing/token';
import { createSession } from '../addresses/create-session.ts';
import { openMeta } from './open-meta.ts';
import { authenticateTicket, authenticateToken, issueTicket, type OpenSession } from './session-access.ts';

const scope = { messageId: 7, part: '2.1' };

function refusal(code: string) {
  return expect.objectContaining({ code });
}

describe('OpenSession', () => {
  it('is no session that was found without its token: the compiler refuses it, and it opens nothing', async () => {
    const { store, lend, deliver } = await openServices();
    const session = await lend('fox');
    const id = await deliver('Subject: x\r\n\r\n', session);
    const stored = await store.mail.findMessage(session.key, id);
    const found = await store.mail.findLiveSession('fox@mayfly.test');
    if (!found || !stored) throw new Error('They are stored.');
    // @ts-expect-error It has no reading key.
    expect(() => openMeta(found, stored)).toThrow();
    const { open, openPart, wrap } = session.reading;
    // @ts-expect-error Whatever has the same methods is no reading key.
    expect(() => openMeta({ ...found, reading: { open, openPart, wrap } }, stored)).toThrow();
    // @ts-expect-error Only what a request brings makes one.
    expect(() => openMeta({ ...found, reading: new ReadingKey(found, '') }, stored)).toThrow();
    expect(openMeta({ ...found, reading: session.reading }, stored).subject).toBe('x');
  });
});

describe('authenticateToken', () => {
  it('leads from the token to its session and the store’s time', async () => {
    const { deps, store } = await openServices();
    const { token, session } = await createSession(deps, {});
    await createSession(deps, {});
    expect(await authenticateToken(store.mail, token)).toMatchObject({ session, now: store.clock.now() });
  });

  it('tells a missing token from an unknown one', async () => {
    const { store } = await openServices();
    await expect(authenticateToken(store.mail, undefined)).rejects.toThrow(refusal('missing_token'));
    await expect(authenticateToken(store.mail, '')).rejects.toThrow(refusal('missing_token'));
    for (const token of [
      createToken().token,
      'x',
      'mf_',
      `mf_${'A'.repeat(44)}`,
      ' ',
      '__proto__',
      'mf_\0',
    ]) {
      await expect(authenticateToken(store.mail, token)).rejects.toThrow(refusal('unknown_token'));
    }
  });

  it('tells of an ended session for 24 hours, then no more', async () => {
    const { deps, store } = await openServices();
    const { token, session } = await createSession(deps, {});
    store.clock.advance(hourMs - 1);
    expect((await authenticateToken(store.mail, token)).session.address).toBe(session.address);
    store.clock.advance(1);
    await expect(authenticateToken(store.mail, token)).rejects.toThrow(refusal('session_expired'));
    store.clock.advance(dayMs - 1);
    await expect(authenticateToken(store.mail, token)).rejects.toThrow(refusal('session_expired'));
    store.clock.advance(1);
    await expect(authenticateToken(store.mail, token)).rejects.toThrow(refusal('unknown_token'));
  });

  it('refuses from the instant the session was ended', async () => {
    const { deps, store } = await openServices();
    const { token, session } = await createSession(deps, {});
    await store.mail.endSession(session.key);
    await expect(authenticateToken(store.mail, token)).rejects.toThrow(refusal('session_expired'));
  });
});

describe('authenticateTicket', () => {
  async function open() {
    const services = await openServices();
    const { deps, store } = services;
    const issue = (session: OpenSession, madeAt = store.clock.now()): string =>
      issueTicket(deps, { session }, { ...scope, madeAt });
    return {
      ...services,
      issue,
      enter: (ticket: string, by = scope) => authenticateTicket(deps, ticket, by),
    };
  }

  it('leads from the ticket to its session, for the message and part it was made for, and opens it', async () => {
    const { store, lend, issue, enter, deliver } = await open();
    const session = await lend();
    const id = await deliver('Subject: x\r\n\r\n', session);
    const ticket = issue(session);
    const found = await enter(ticket);
    expect(found.session.address).toBe(session.address);
    const stored = await store.mail.findMessage(session.key, id);
    expect(openMeta(found.session, stored!).subject).toBe('x');
    for (const other of [
      { ...scope, messageId: 8 },
      { ...scope, part: '2' },
      { ...scope, part: 'raw' },
    ]) {
      await expect(enter(ticket, other)).rejects.toThrow(refusal('unknown_token'));
    }
  });

  it('is past its time after five minutes', async () => {
    const { store, lend, issue, enter } = await open();
    const ticket = issue(await lend());
    store.clock.advance(ticketLifetimeMs - 1);
    await enter(ticket);
    store.clock.advance(1);
    await expect(enter(ticket)).rejects.toThrow(refusal('session_expired'));
  });

  it('dies with its session', async () => {
    const { store, lend, issue, enter } = await open();
    const session = await lend();
    const ticket = issue(session);
    await store.mail.endSession(session.key);
    await expect(enter(ticket)).rejects.toThrow(refusal('session_expired'));
  });

  it('refuses a ticket for another session, of another service, without a key, or with another time', async () => {
    const { deps, store, lend, issue, enter } = await open();
    const [session, other] = [await lend(), await lend()];
    const now = store.clock.now();
    const bytes = Buffer.from(issue(session), 'base64url');
    const late = Buffer.from(bytes);
    late.writeUIntBE(now + dayMs, 16, 6);
    const moved = Buffer.from(bytes);
    moved.set(other.key, 0);
    const foreign = issueTicket(
      { ...deps, serverKey: Buffer.alloc(32, 1) },
      { session },
      { ...scope, madeAt: now },
    );
    const wrong = [
      late.toString('base64url'),
      moved.toString('base64url'),
      foreign,
      bytes.fill(0, 22).toString('base64url'),
      'x',
      '',
      createToken().token,
    ];
    for (const ticket of wrong) await expect(enter(ticket)).rejects.toThrow(refusal('unknown_token'));
  });

  it('opens nothing of a session for which the key in it was not made', async () => {
    const { store, lend, issue, enter, deliver } = await open();
    const [session, other] = [await lend(), await lend()];
    const id = await deliver('Subject: x\r\n\r\n', session);
    const mixed = await enter(issue({ ...session, reading: other.reading }));
    const stored = await store.mail.findMessage(session.key, id);
    expect(() => openMeta(mixed.session, stored!)).toThrow();
  });
});
