// Resolves a token or ticket to a live session, once, at the edge. Only here is made what opens its mail, and only for a
// request that brought a token or something made with it: a session that was found in another way can be sealed for,
// but not opened.

import { sessionExpired } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Session, type SessionLookup, toKeyText } from '../../domain/session.ts';
import { parseShares, type Share } from '../../domain/share.ts';
import type { SealPurpose } from '../../secrets/seal.mjs';
import { openSealed } from '../../secrets/seal.mjs';
import { isTicketOf, parseTicket, type TicketScope } from '../../secrets/ticket.ts';
import { hashToken } from '../../secrets/token.ts';
import type { MailStore } from '../../store/mail-store.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';

/** Opens what was sealed for a session. */
export interface Reading {
  /** @throws Error when the bytes were not sealed for this session and purpose, or were altered */
  open(purpose: SealPurpose, sealed: Uint8Array): Buffer;
}

class DataKeyReading implements Reading {
  readonly #dataKey: Uint8Array;

  constructor({ dataKey }: Session) {
    this.#dataKey = dataKey;
  }

  open(purpose: SealPurpose, sealed: Uint8Array): Buffer {
    return openSealed(this.#dataKey, purpose, sealed);
  }
}

/** A session whose mail can be opened. It lasts as long as the request, or the connection, that brought the token. */
export interface OpenSession extends Session {
  readonly reading: Reading;
}

export interface LiveSession {
  readonly session: OpenSession;
  /** The store's clock at the look-up, ms since 1970. */
  readonly now: number;
  /**
   * For a request by a ticket or a share: the latest time at which links made for it may end, ms since 1970. Otherwise
   * each link could create another that lives five minutes longer, without end.
   */
  readonly linksEndAt?: number;
  /** The share by which it was found, or through which its ticket was made: links end with it. */
  readonly shareId?: string | undefined;
}

export function unknownToken(): MayflyError {
  return new MayflyError('unknown_token', 'No session has this token.', { parameter: 'token' });
}

/** @throws MayflyError session_expired, unknown_token */
export function requireLive(lookup: SessionLookup): { readonly session: Session; readonly now: number } {
  if (lookup.state === 'live') return lookup;
  throw lookup.state === 'ended' ? sessionExpired() : unknownToken();
}

/**
 * Returns the session as it is by now, opened as before. `by`: the same session, earlier.
 * @throws MayflyError session_expired, unknown_token
 */
export function requireStillLive(lookup: SessionLookup, by: OpenSession): LiveSession {
  const { session, now } = requireLive(lookup);
  return { session: stillOpen(session, by), now };
}

/** Returns the session as it is by now, opened as before and for the same caller. `by`: the same session, earlier. */
export function stillOpen(session: Session, { key, reading, requester }: OpenSession): OpenSession {
  if (toKeyText(session.key) !== toKeyText(key)) throw new Error('This is another session.');
  return { ...session, reading, ...(requester ? { requester } : {}) };
}

/** Opens a session whose token the caller has just made or recovered. */
export function openByToken(session: Session, _token: string): OpenSession {
  return openAlone(session);
}

/** For what is still shown without a caller. */
export function openAlone(session: Session): OpenSession {
  return { ...session, reading: new DataKeyReading(session) };
}

/** Finds a share in the session's list. @throws MayflyError unknown_token when it was revoked, session_expired */
export function requireShare(list: string | null, id: string, now: number): Share {
  const share = parseShares(list).find((one) => one.id === id);
  if (!share) throw unknownToken();
  if (share.expiresAt <= now) throw new MayflyError('session_expired', 'The share has expired.');
  return share;
}

/** @throws MayflyError missing_token, unknown_token, session_expired */
export async function authenticateToken(
  mail: Pick<MailStore, 'findSession'>,
  token: string | undefined,
): Promise<LiveSession> {
  if (token === undefined || token === '') {
    throw new MayflyError(
      'missing_token',
      'Give the session token as `Authorization: Bearer` or as `token`.',
      {
        parameter: 'token',
      },
    );
  }
  const tokenHash = hashToken(token);
  if (!tokenHash) throw unknownToken();
  const { session, now } = requireLive(await mail.findSession(tokenHash));
  return { session: openByToken(session, token), now };
}

/**
 * A ticket made through a share is as good as the share is now, on any node.
 * @throws MayflyError unknown_token, session_expired (also for an expired ticket)
 */
export async function authenticateTicket(
  { mail, shares }: { readonly mail: MailStore; readonly shares: SessionTextStore },
  text: string,
  scope: TicketScope,
): Promise<LiveSession> {
  const ticket = parseTicket(text);
  if (!ticket) throw unknownToken();
  const live = requireLive(await mail.findSessionByKey(ticket.sessionKey));
  if (!isTicketOf(live.session, scope, ticket)) throw unknownToken();
  if (ticket.expiresAt <= live.now) {
    throw new MayflyError('session_expired', 'This link is past its five minutes; read the message again.');
  }
  const { shareId } = ticket;
  if (shareId !== undefined) requireShare(await shares.read(ticket.sessionKey), shareId, live.now);
  return { session: openAlone(live.session), now: live.now, linksEndAt: ticket.expiresAt, shareId };
}
