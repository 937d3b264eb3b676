import { describe, expect, it } from 'vitest';

import type { SessionKey } from '../domain/session.ts';
import { createDataKey } from './seal.mjs';
import { createTicket, isTicketOf, parseTicket, ticketLifetimeMs } from './ticket.ts';

const now = Date.UTC(2026, 0, 1);
const scope = { messageId: 7, part: '2.1' };

function createHolder(key = Buffer.alloc(16, 1), dataKey: Uint8Array = createDataKey()) {
  return { key: key as Uint8Array as SessionKey, dataKey };
}

const holder = createHolder();

describe('createTicket', () => {
  it('is text for a URL that names the session and an expiry five minutes on', () => {
    const text = createTicket(holder, scope, now);
    expect(text).toMatch(/^[A-Za-z0-9_-]{56}$/);
    const ticket = parseTicket(text)!;
    expect(Buffer.from(ticket.sessionKey).equals(Buffer.alloc(16, 1))).toBe(true);
    expect(ticket.expiresAt).toBe(now + 5 * 60_000);
    expect(ticketLifetimeMs).toBe(5 * 60_000);
    expect(isTicketOf(holder, scope, ticket)).toBe(true);
  });

  it('shows neither the data key nor anything it was signed with', () => {
    const bytes = Buffer.from(createTicket(holder, scope, now), 'base64url');
    expect(bytes.includes(Buffer.from(holder.dataKey.subarray(0, 4)))).toBe(false);
  });
});

describe('isTicketOf', () => {
  const ticket = parseTicket(createTicket(holder, scope, now))!;

  it.each([
    [{ messageId: 8, part: '2.1' }],
    [{ messageId: 7, part: '2' }],
    [{ messageId: 7, part: 'raw' }],
    [{ messageId: 7, part: '' }],
    [{ messageId: 72, part: '.1' }],
  ])('refuses another scope: %j', (other) => {
    expect(isTicketOf(holder, other, ticket)).toBe(false);
  });

  it('refuses another session, also one with the same data key or the same key', () => {
    expect(isTicketOf(createHolder(Buffer.alloc(16, 2), holder.dataKey), scope, ticket)).toBe(false);
    expect(isTicketOf(createHolder(Buffer.alloc(16, 1)), scope, ticket)).toBe(false);
  });

  it('refuses a change of any bit of session, expiry or signature', () => {
    const bytes = Buffer.from(createTicket(holder, scope, now), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      const forged = parseTicket(altered.toString('base64url'))!;
      const named = createHolder(Buffer.from(forged.sessionKey), holder.dataKey);
      expect(isTicketOf(named, scope, forged)).toBe(false);
    }
  });
});

it('names the share through which it was made, unforgeably', () => {
  const text = createTicket({ ...holder, shareId: '0123456789abcdef' }, scope, now);
  expect(text).toMatch(/^[A-Za-z0-9_-]{67}$/);
  const ticket = parseTicket(text)!;
  expect([ticket.shareId, isTicketOf(holder, scope, ticket)]).toEqual(['0123456789abcdef', true]);
  for (const shareId of ['0123456789abcdee', undefined]) {
    expect(isTicketOf(holder, scope, { ...ticket, shareId })).toBe(false);
  }
  const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((last) =>
    parseTicket(text.slice(0, -1) + last),
  );
  expect(
    spellings.filter((last) => isTicketOf(holder, scope, parseTicket(text.slice(0, -1) + last)!)),
  ).toHaveLength(1);
});

describe('parseTicket', () => {
  it.each([
    '',
    'a',
    'A'.repeat(55),
    'A'.repeat(57),
    `${'A'.repeat(55)}=`,
    `${'A'.repeat(55)}+`,
    `${'A'.repeat(56)}\n`,
  ])('finds no ticket in %j', (text) => {
    expect(parseTicket(text)).toBeUndefined();
  });

  it('takes any other text of the right form apart without trusting it', () => {
    const ticket = parseTicket('_'.repeat(56))!;
    expect(ticket.expiresAt).toBe(2 ** 48 - 1);
    expect(isTicketOf(holder, scope, ticket)).toBe(false);
  });
});
