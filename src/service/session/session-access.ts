// Resolves a token or ticket to a live session, once, at the edge. Only here is made what opens its mail, and only for a
// request that brought a token or something made with it: a session that was found in another way can be sealed for,
// but not opened.

import { sessionExpired } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Session, type SessionLookup, toKeyText } from '../../domain/session.ts';
import { parseShares, type Share } from '../../domain/share.ts';
import { ReadingKey, type Wrapping } from '#sealing/reading-key';
import { createTicket, parseTicket, type TicketScope, toTicketWrapping } from '#sealing/ticket';
import { hashToken } from '#sealing/token';
import type { MailStore, SessionView } from '../../store/mail-store.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';

/** A session whose mail can be opened. It lasts as long as the request, or the connection, that brought the token. */
export interface OpenSession extends Session {
  readonly reading: ReadingKey;
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

export function unknownToken(options: { readonly cause?: unknown } = {}): MayflyError {
  return new MayflyError('unknown_token', 'No session has this token.', { parameter: 'token', ...options });
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
export function openByToken(session: Session, token: string): OpenSession {
  return { ...session, reading: ReadingKey.ofToken(token, session) };
}

/** @throws MayflyError unknown_token when the wrapped key was made for something else */
export function openWrapped(session: Session, wrapped: Uint8Array, wrapping: Wrapping): OpenSession {
  try {
    return { ...session, reading: ReadingKey.unwrap(wrapped, wrapping, session) };
  } catch (cause) {
    throw unknownToken({ cause });
  }
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
  view?: SessionView,
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
  const { session, now } = requireLive(await mail.findSession(tokenHash, view));
  return { session: openByToken(session, token), now };
}

export interface TicketDeps {
  readonly mail: MailStore;
  readonly shares: SessionTextStore;
  /** 32 bytes. */
  readonly serverKey: Uint8Array;
}

/** Returns text for a URL, valid for the scope and five minutes from `madeAt`, ms since 1970. */
export function issueTicket(
  { serverKey }: Pick<TicketDeps, 'serverKey'>,
  { session, shareId }: Pick<LiveSession, 'session' | 'shareId'>,
  { madeAt, ...scope }: TicketScope & { readonly madeAt: number },
): string {
  return createTicket({ key: session.key, reading: session.reading, shareId }, scope, { serverKey, madeAt });
}

/**
 * A ticket made through a share is as good as the share is now, on any node.
 * @throws MayflyError unknown_token, session_expired (also for an expired ticket)
 */
export async function authenticateTicket(
  { mail, shares, serverKey }: TicketDeps,
  text: string,
  scope: TicketScope,
): Promise<LiveSession> {
  const ticket = parseTicket(text);
  if (!ticket) throw unknownToken();
  const { sessionKey, expiresAt, shareId } = ticket;
  const live = requireLive(await mail.findSessionByKey(sessionKey));
  const session = openWrapped(live.session, ticket.wrapped, toTicketWrapping(serverKey, scope, ticket));
  if (expiresAt <= live.now) {
    throw new MayflyError('session_expired', 'This link is past its five minutes; read the message again.');
  }
  if (shareId !== undefined) requireShare(await shares.read(sessionKey), shareId, live.now);
  return { session, now: live.now, linksEndAt: expiresAt, shareId };
}
