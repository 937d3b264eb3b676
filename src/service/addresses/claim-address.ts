// Claims an address for a new session and creates its token. Called by create-session for addresses on domains and for
// Gmail aliases.

import { createSealTarget, sealer } from '#sealing/sealer';
import { createToken, toSessionKey } from '#sealing/token';
import type { MailStore, NewSession } from '../../store/mail-store.ts';
import { openByToken, type OpenSession } from '../session/session-access.ts';
import type { SessionLimits } from '../session/session-limits.ts';

export interface CreatedSession {
  /** Known only to the caller from here on. */
  readonly token: string;
  readonly session: OpenSession;
}

export type AddressClaim = Pick<
  NewSession,
  'address' | 'addressKey' | 'lifetimeMs' | 'quarantineMs' | 'accountId' | 'dropsOldest'
>;

/** Resolves with undefined when the address is taken. */
export async function claimAddress(
  { mail, limits }: { readonly mail: MailStore; readonly limits: SessionLimits },
  claim: AddressClaim,
): Promise<CreatedSession | undefined> {
  const { token, hash: tokenHash } = createToken();
  const target = createSealTarget(token);
  const session = await mail.createSession({
    ...claim,
    key: toSessionKey(tokenHash),
    tokenHash,
    ...target,
    totalLifetimeMs: limits.totalMaxSeconds * 1000,
  });
  if (session === 'taken') return undefined;
  // Most mail comes within minutes of the session's creation.
  sealer.prime(session);
  return { token, session: openByToken(session, token) };
}
