// Resolves a token or ticket to a live session, once, at the edge. Code below uses only Session.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { Session, SessionLookup } from '../domain/session.ts';
import { isTicketOf, parseTicket, type TicketScope } from '../secrets/ticket.ts';
import { hashToken } from '../secrets/token.ts';
import type { MailStore } from '../store/mail-store.ts';

export interface LiveSession {
  readonly session: Session;
  /** The store's clock at the look-up, ms since 1970. */
  readonly now: number;
  /**
   * For a request by a ticket or a share: the latest time at which links made for it may end, ms since 1970. Otherwise
   * each link could create another that lives five minutes longer, without end.
   */
  readonly linksEndAt?: number;
}

export function unknownToken(): MayflyError {
  return new MayflyError('unknown_token', 'No session has this token.', { parameter: 'token' });
}

export function sessionExpired(): MayflyError {
  return new MayflyError('session_expired', 'The session has ended; its messages are gone.');
}

/** @throws MayflyError session_expired, unknown_token */
export function requireLive(lookup: SessionLookup): LiveSession {
  if (lookup.state === 'live') return lookup;
  throw lookup.state === 'ended' ? sessionExpired() : unknownToken();
}

/** @throws MayflyError missing_token, unknown_token, session_expired */
export async function authenticateToken(mail: MailStore, token: string | undefined): Promise<LiveSession> {
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
  return requireLive(await mail.findSession(tokenHash));
}

/** @throws MayflyError unknown_token, session_expired (also for an expired ticket) */
export async function authenticateTicket(
  mail: MailStore,
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
  return { ...live, linksEndAt: ticket.expiresAt };
}
