import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { ReadingKey } from './reading-key.ts';
import { createSealTarget, Sealer } from './sealer.ts';
import {
  createTicket,
  parseTicket,
  type TicketHolder,
  ticketLifetimeMs,
  type TicketScope,
  toTicketWrapping,
} from './ticket.ts';
import { createToken, type SessionKey } from './token.ts';

const madeAt = Date.UTC(2026, 0, 1);
const scope = { messageId: 7, part: '2.1' };
const serverKey = randomBytes(32);
const { token } = createToken();
const target = createSealTarget(token);
const sealed = new Sealer().seal(target, 'raw', Buffer.from('mail'));
const holder: TicketHolder = {
  key: Buffer.alloc(16, 1) as Uint8Array as SessionKey,
  reading: ReadingKey.ofToken(token, target),
};
const own = { serverKey, madeAt };
type Given = NonNullable<ReturnType<typeof parseTicket>>;

/** Returns the mail that a service with this key reads by the ticket; 'nothing' when it opens nothing. */
function readBy(ticket: Given, asked: TicketScope = scope, key: Uint8Array = serverKey): string {
  try {
    const wrapping = toTicketWrapping(key, asked, ticket);
    return ReadingKey.unwrap(ticket.wrapped, wrapping, target).open('raw', sealed).toString();
  } catch {
    return 'nothing';
  }
}

describe('createTicket', () => {
  it('is text for a URL that names the session and an expiry five minutes on', () => {
    const text = createTicket(holder, scope, own);
    expect(text).toMatch(/^[A-Za-z0-9_-]{110}$/);
    const ticket = parseTicket(text)!;
    expect(Buffer.from(ticket.sessionKey).equals(Buffer.alloc(16, 1))).toBe(true);
    expect(ticket.expiresAt).toBe(madeAt + 5 * 60_000);
    expect(ticketLifetimeMs).toBe(5 * 60_000);
    expect(readBy(ticket)).toBe('mail');
  });

  it('opens nothing by itself, nor on a node with another key', () => {
    const ticket = parseTicket(createTicket(holder, scope, own))!;
    expect(readBy(ticket, scope, randomBytes(32))).toBe('nothing');
  });
});

describe('a ticket', () => {
  const ticket = parseTicket(createTicket(holder, scope, own))!;

  it.each([
    [{ messageId: 8, part: '2.1' }],
    [{ messageId: 7, part: '2' }],
    [{ messageId: 7, part: 'raw' }],
    [{ messageId: 7, part: '' }],
    [{ messageId: 72, part: '.1' }],
  ])('opens nothing in another scope: %j', (other) => {
    expect(readBy(ticket, other)).toBe('nothing');
  });

  it('opens nothing after a change of any bit of session, expiry or key', () => {
    const bytes = Buffer.from(createTicket(holder, scope, own), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(readBy(parseTicket(altered.toString('base64url'))!)).toBe('nothing');
    }
  });

  it('names the share through which it was made, unforgeably', () => {
    const text = createTicket({ ...holder, shareId: '0123456789abcdef' }, scope, own);
    expect(text).toMatch(/^[A-Za-z0-9_-]{120}$/);
    const shared = parseTicket(text)!;
    expect([shared.shareId, readBy(shared)]).toEqual(['0123456789abcdef', 'mail']);
    for (const shareId of ['0123456789abcdee', undefined]) {
      expect(readBy({ ...shared, shareId })).toBe('nothing');
    }
  });
});

describe('parseTicket', () => {
  it.each([
    '',
    'a',
    'A'.repeat(109),
    'A'.repeat(111),
    `${'A'.repeat(109)}=`,
    `${'A'.repeat(109)}+`,
    `${'A'.repeat(110)}\n`,
    `${'A'.repeat(109)}B`,
    createToken().token,
  ])('finds no ticket in %j', (text) => {
    expect(parseTicket(text)).toBeUndefined();
  });

  it('takes any other text of the right form apart without trusting it', () => {
    const ticket = parseTicket('_'.repeat(120))!;
    expect(ticket.expiresAt).toBe(2 ** 48 - 1);
    expect(readBy(ticket)).toBe('nothing');
  });
});
