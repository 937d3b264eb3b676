// Tickets replace the token in links that browsers fetch without a header (downloads, framed HTML, inline images). A
// ticket is valid for one message and part of one session, for five minutes. Its key is derived from the session's
// data key, so it ends with the session and works on every node. One made through a share names the share, with which it
// ends too.

import { createHmac, timingSafeEqual } from 'node:crypto';

import type { SessionKey } from '../domain/session.ts';

export const ticketLifetimeMs = 5 * 60 * 1000;

const keyBytes = 16;
const expiryBytes = 6;
const macBytes = 20;

export interface TicketScope {
  readonly messageId: number;
  /** The id of a part, or the name of a view such as `raw` or `html`. */
  readonly part: string;
}

export interface ParsedTicket {
  readonly sessionKey: SessionKey;
  readonly expiresAt: number;
  /** The share through which it was made; undefined for the session's own token. */
  readonly shareId: string | undefined;
  readonly mac: Buffer;
}

interface TicketHolder {
  readonly key: SessionKey;
  readonly dataKey: Uint8Array;
  readonly shareId?: string | undefined;
}

function sign(holder: TicketHolder, scope: TicketScope, expiresAt: number): Buffer {
  const { key, shareId } = holder;
  const signed = [Buffer.from(key).toString('hex'), scope.messageId, scope.part, expiresAt];
  return createHmac('sha256', Buffer.concat([Buffer.from('mayfly ticket'), holder.dataKey]))
    .update(JSON.stringify(shareId === undefined ? signed : [...signed, shareId]))
    .digest()
    .subarray(0, macBytes);
}

/** `now`: ms since 1970. Returns text that is safe in a URL. */
export function createTicket(holder: TicketHolder, scope: TicketScope, now: number): string {
  const expiresAt = now + ticketLifetimeMs;
  const ticket = Buffer.alloc(keyBytes + expiryBytes);
  ticket.set(holder.key, 0);
  ticket.writeUIntBE(expiresAt, keyBytes, expiryBytes);
  const share = Buffer.from(holder.shareId ?? '', 'hex');
  return Buffer.concat([ticket, share, sign(holder, scope, expiresAt)]).toString('base64url');
}

/** Splits an untrusted ticket; undefined for text that is not one. */
export function parseTicket(text: string): ParsedTicket | undefined {
  if (!/^(?:[A-Za-z0-9_-]{56}|[A-Za-z0-9_-]{67})$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Spare bits at the end of base64 would allow several spellings of one ticket.
  if (bytes.toString('base64url') !== text) return undefined;
  const [shareAt, macAt] = [keyBytes + expiryBytes, bytes.length - macBytes];
  return {
    sessionKey: bytes.subarray(0, keyBytes) as Uint8Array as SessionKey,
    expiresAt: bytes.readUIntBE(keyBytes, expiryBytes),
    shareId: macAt === shareAt ? undefined : bytes.toString('hex', shareAt, macAt),
    mac: bytes.subarray(macAt),
  };
}

/** Reports whether the session issued this ticket for this scope; the caller checks its expiry. */
export function isTicketOf(holder: TicketHolder, scope: TicketScope, ticket: ParsedTicket): boolean {
  const { expiresAt, shareId, mac } = ticket;
  return timingSafeEqual(sign({ ...holder, shareId }, scope, expiresAt), mac);
}
