// Tickets stand in links that a browser fetches without a header (downloads, framed HTML, inline images) in place of
// the token. A ticket is good for one message and part of one session and for five minutes; its key comes from the
// session's data key, so it dies with the session and works on every node.

import { createHmac, timingSafeEqual } from 'node:crypto';

import type { SessionKey } from '../domain/session.ts';

export const ticketLifetimeMs = 5 * 60 * 1000;

const keyBytes = 16;
const expiryBytes = 6;
const macBytes = 20;

export interface TicketScope {
  readonly messageId: number;
  /** Id of a part, or the name of a view such as `raw` or `html`. */
  readonly part: string;
}

export interface ParsedTicket {
  readonly sessionKey: SessionKey;
  readonly expiresAt: number;
  readonly mac: Buffer;
}

interface TicketHolder {
  readonly key: SessionKey;
  readonly dataKey: Uint8Array;
}

function sign(holder: TicketHolder, scope: TicketScope, expiresAt: number): Buffer {
  return createHmac('sha256', Buffer.concat([Buffer.from('mayfly ticket'), holder.dataKey]))
    .update(JSON.stringify([Buffer.from(holder.key).toString('hex'), scope.messageId, scope.part, expiresAt]))
    .digest()
    .subarray(0, macBytes);
}

/** `now`: ms since 1970. The text is safe in a URL. */
export function createTicket(holder: TicketHolder, scope: TicketScope, now: number): string {
  const expiresAt = now + ticketLifetimeMs;
  const ticket = Buffer.alloc(keyBytes + expiryBytes);
  ticket.set(holder.key, 0);
  ticket.writeUIntBE(expiresAt, keyBytes, expiryBytes);
  return Buffer.concat([ticket, sign(holder, scope, expiresAt)]).toString('base64url');
}

/** Takes a ticket apart without trusting it; undefined for text that is none. */
export function parseTicket(text: string): ParsedTicket | undefined {
  if (!/^[A-Za-z0-9_-]{56}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return {
    sessionKey: bytes.subarray(0, keyBytes) as Uint8Array as SessionKey,
    expiresAt: bytes.readUIntBE(keyBytes, expiryBytes),
    mac: bytes.subarray(keyBytes + expiryBytes),
  };
}

/** Whether the session issued this ticket for this scope; its expiry is for the caller to check. */
export function isTicketOf(holder: TicketHolder, scope: TicketScope, ticket: ParsedTicket): boolean {
  return timingSafeEqual(sign(holder, scope, ticket.expiresAt), ticket.mac);
}
