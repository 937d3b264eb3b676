// Shares a session, or one message of it, for others to read: creates, lists and revokes shares, and resolves a share's
// token to the session. Nothing is cached: a revoked share is gone on every node.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import { formatShares, parseShares, type Share, sharesMax } from '../../domain/share.ts';
import { createShareToken, isSameHash, parseShareToken } from '#sealing/share-token';
import type { MailStore } from '../../store/mail-store.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import { sessionExpired } from '../../domain/gone.ts';
import { changeSessionText, type TextTurns } from '../session/change-session-text.ts';
import {
  type LiveSession,
  openWrapped,
  requireLive,
  requireShare,
  unknownToken,
} from '../session/session-access.ts';

export interface ShareDeps extends TextTurns {
  readonly mail: MailStore;
  readonly shares: SessionTextStore;
}

export interface ShareRequest {
  /** The message to share; undefined for the whole session. */
  readonly messageId?: number | undefined;
  /** As long as the session when absent, and never longer. */
  readonly lifetimeSeconds?: number | undefined;
}

/** The token is returned only here. @throws MayflyError message_not_found, too_many_shares, session_expired */
export async function createShare(
  deps: ShareDeps,
  { session, now }: LiveSession,
  { messageId, lifetimeSeconds }: ShareRequest,
): Promise<{ readonly token: string; readonly share: Share }> {
  if (messageId !== undefined && !(await deps.mail.findMessage(session.key, messageId))) {
    throw new MayflyError('message_not_found', 'The session has no message with this id.', {
      parameter: 'id',
    });
  }
  const { token, hash, id, wrapping } = createShareToken(session.key);
  const wrapped = session.reading.wrap(wrapping).toString('base64url');
  const wanted = lifetimeSeconds === undefined ? Infinity : now + lifetimeSeconds * 1000;
  const expiresAt = Math.min(session.expiresAt, wanted);
  const share: Share = { id, hash, wrapped, messageId: messageId ?? null, createdAt: now, expiresAt };
  await changeShares(deps, { session, now }, (shares) => {
    if (shares.length < sharesMax) return [...shares, share];
    throw new MayflyError(
      'too_many_shares',
      `A session has at most ${sharesMax} shares at once; revoke one with \`/revoke-share\`.`,
    );
  });
  return { token, share };
}

/** Oldest first, without expired ones. */
export async function listShares(deps: ShareDeps, { session, now }: LiveSession): Promise<readonly Share[]> {
  return unexpired(parseShares(await deps.shares.read(session.key)), now);
}

/** @throws MayflyError share_not_found, session_expired */
export async function revokeShare(deps: ShareDeps, live: LiveSession, id: string): Promise<void> {
  await changeShares(deps, live, (shares) => {
    const left = shares.filter((share) => share.id !== id);
    if (left.length < shares.length) return left;
    throw new MayflyError('share_not_found', 'The session has no share with this id.', {
      parameter: 'share_id',
    });
  });
}

export interface SharedSession {
  readonly live: LiveSession;
  readonly share: Share;
}

/** @throws MayflyError unknown_token, session_expired */
export async function authenticateShare(deps: ShareDeps, token: string): Promise<SharedSession> {
  const parsed = parseShareToken(token);
  if (!parsed) throw unknownToken();
  const live = requireLive(await deps.mail.findSessionByKey(parsed.sessionKey));
  const share = requireShare(await deps.shares.read(parsed.sessionKey), parsed.id, live.now);
  if (!isSameHash(share.hash, parsed.hash)) throw unknownToken();
  const session = openWrapped(live.session, Buffer.from(share.wrapped, 'base64url'), parsed.wrapping);
  return { live: { session, now: live.now, linksEndAt: share.expiresAt, shareId: share.id }, share };
}

/** Checks after a wait that the share is still valid. @throws MayflyError unknown_token, session_expired */
export async function confirmShare(
  deps: ShareDeps,
  { session, now }: LiveSession,
  { id }: Share,
): Promise<void> {
  requireShare(await deps.shares.read(session.key), id, now);
}

async function changeShares(
  { shares, turns }: ShareDeps,
  { session, now }: { readonly session: Session; readonly now: number },
  change: (current: readonly Share[]) => readonly Share[],
): Promise<void> {
  const outcome = await changeSessionText({ turns }, { texts: shares, session }, (before) =>
    formatShares(change(unexpired(parseShares(before), now))),
  );
  if (outcome === 'over') throw sessionExpired();
}

function unexpired(shares: readonly Share[], now: number): readonly Share[] {
  return shares.filter(({ expiresAt }) => expiresAt > now);
}
