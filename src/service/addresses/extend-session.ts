// Moves a session's end to now + lifetime, never earlier than it was and never past its total.

import type { Session } from '../../domain/session.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import { parseLifetimeMs } from '../session/lifetime.ts';
import { sessionExpired } from '../../domain/gone.ts';
import type { SessionLimits } from '../session/session-limits.ts';

/** @throws MayflyError invalid_parameter, session_expired */
export async function extendSession(
  deps: ReadThreads & { readonly mail: MailStore; readonly limits: SessionLimits },
  session: Session,
  lifetimeSeconds: number | undefined,
): Promise<Session> {
  const extended = await deps.mail.extendSession(session.key, parseLifetimeMs(deps.limits, lifetimeSeconds));
  if (!extended) throw sessionExpired();
  expectMail(deps, extended);
  return extended;
}
