// Tickets replace the token in links that browsers fetch without a header (downloads, framed HTML, inline images). A
// ticket is valid for one message and part of one session, for five minutes. It carries the session's reading key,
// wrapped under the service's own key for exactly that use, and is stored nowhere: neither it nor the service's files
// open anything alone. One made through a share names the share, with which it ends too.

import type { ReadingKey, Wrapping } from './reading-key.ts';
import { wrappedKeyBytes } from './sealed-format.ts';
import type { SessionKey } from './token.ts';

export const ticketLifetimeMs = 5 * 60 * 1000;

const keyBytes = 16;
const expiryBytes = 6;
const shareBytes = 8;

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
  readonly wrapped: Uint8Array;
}

export interface TicketHolder {
  readonly key: SessionKey;
  readonly reading: ReadingKey;
  readonly shareId?: string | undefined;
}

/** Returns what a ticket's key is wrapped with. `serverKey`: 32 bytes. */
export function toTicketWrapping(
  serverKey: Uint8Array,
  scope: TicketScope,
  { sessionKey, expiresAt, shareId }: Omit<ParsedTicket, 'wrapped'>,
): Wrapping {
  const use = [
    Buffer.from(sessionKey).toString('hex'),
    scope.messageId,
    scope.part,
    expiresAt,
    shareId ?? '',
  ];
  return { secret: serverKey, use: `ticket ${JSON.stringify(use)}` };
}

/** `madeAt`: ms since 1970. Returns text that is safe in a URL. */
export function createTicket(
  { key, reading, shareId }: TicketHolder,
  scope: TicketScope,
  { serverKey, madeAt }: { readonly serverKey: Uint8Array; readonly madeAt: number },
): string {
  const expiresAt = madeAt + ticketLifetimeMs;
  const head = Buffer.alloc(keyBytes + expiryBytes);
  head.set(key, 0);
  head.writeUIntBE(expiresAt, keyBytes, expiryBytes);
  const wrapping = toTicketWrapping(serverKey, scope, { sessionKey: key, expiresAt, shareId });
  return Buffer.concat([head, Buffer.from(shareId ?? '', 'hex'), reading.wrap(wrapping)]).toString(
    'base64url',
  );
}

/** Splits an untrusted ticket; undefined for text that is not one. */
export function parseTicket(text: string): ParsedTicket | undefined {
  if (!/^(?:[A-Za-z0-9_-]{110}|[A-Za-z0-9_-]{120})$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Spare bits at the end of base64 would allow several spellings of one ticket.
  if (bytes.toString('base64url') !== text) return undefined;
  const [shareAt, wrappedAt] = [keyBytes + expiryBytes, bytes.length - wrappedKeyBytes];
  if (wrappedAt !== shareAt && wrappedAt !== shareAt + shareBytes) return undefined;
  return {
    sessionKey: bytes.subarray(0, keyBytes) as Uint8Array as SessionKey,
    expiresAt: bytes.readUIntBE(keyBytes, expiryBytes),
    shareId: wrappedAt === shareAt ? undefined : bytes.toString('hex', shareAt, wrappedAt),
    wrapped: bytes.subarray(wrappedAt),
  };
}
