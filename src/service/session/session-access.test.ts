import { describe, expect, it } from 'vitest';

import { dayMs, hourMs } from '../../../test/contract/store-fixture.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createTicket, ticketLifetimeMs } from '../../secrets/ticket.ts';
import { createToken } from '../../secrets/token.ts';
import { createSession } from '../addresses/create-session.ts';
import { authenticateTicket, authenticateToken } from './session-access.ts';

const scope = { messageId: 7, part: '2.1' };

function refusal(code: string) {
  return expect.objectContaining({ code });
}

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
  it('leads from the ticket to its session, for the message and part it was made for', async () => {
    const { store, lend } = await openServices();
    const session = await lend();
    const ticket = createTicket(session, scope, store.clock.now());
    expect((await authenticateTicket(store, ticket, scope)).session.address).toBe(session.address);
    for (const other of [
      { ...scope, messageId: 8 },
      { ...scope, part: '2' },
      { ...scope, part: 'raw' },
    ]) {
      await expect(authenticateTicket(store, ticket, other)).rejects.toThrow(refusal('unknown_token'));
    }
  });

  it('is past its time after five minutes', async () => {
    const { store, lend } = await openServices();
    const ticket = createTicket(await lend(), scope, store.clock.now());
    store.clock.advance(ticketLifetimeMs - 1);
    await authenticateTicket(store, ticket, scope);
    store.clock.advance(1);
    await expect(authenticateTicket(store, ticket, scope)).rejects.toThrow(refusal('session_expired'));
  });

  it('dies with its session', async () => {
    const { store, lend } = await openServices();
    const session = await lend();
    const ticket = createTicket(session, scope, store.clock.now());
    await store.mail.endSession(session.key);
    await expect(authenticateTicket(store, ticket, scope)).rejects.toThrow(refusal('session_expired'));
  });

  it('refuses a ticket of another session, without a signature, or without a time', async () => {
    const { store, lend } = await openServices();
    const [session, other] = [await lend(), await lend()];
    const now = store.clock.now();
    const bytes = Buffer.from(createTicket(session, scope, now), 'base64url');
    const late = Buffer.from(bytes);
    late.writeUIntBE(now + dayMs, 16, 6);
    const wrong = [
      late.toString('base64url'),
      createTicket({ key: session.key, dataKey: other.dataKey }, scope, now),
      createTicket({ key: other.key, dataKey: session.dataKey }, scope, now),
      bytes.fill(0, 0, 16).toString('base64url'),
      'x',
      '',
      createToken().token,
    ];
    for (const ticket of wrong) {
      await expect(authenticateTicket(store, ticket, scope)).rejects.toThrow(refusal('unknown_token'));
    }
  });
});
