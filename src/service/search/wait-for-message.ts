// Implements check-mail's `wait`, which lasts until the session has a message in the range or the time is up.

import type { CheckMailDeps } from '../mail/check-mail.ts';
import { findMessages, type MatchDeps } from './find-messages.ts';
import type { MessageFilter } from './message-filter.ts';
import { type LiveSession, type OpenSession, requireStillLive } from '../session/session-access.ts';
import { waitFor, type WaitDeps, type WaitOptions } from '../live/wait-for.ts';

export interface MessageWait extends WaitOptions {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** Any message when absent. */
  readonly filter?: MessageFilter | undefined;
}

/**
 * Returns the session as it is at the end of the wait.
 * @throws MayflyError session_expired, too_many_streams, unavailable
 */
export async function waitForMessage(
  deps: WaitDeps & CheckMailDeps & MatchDeps,
  session: OpenSession,
  { after, before, filter, ...waiting }: MessageWait,
): Promise<LiveSession> {
  const { key } = session;
  const range = {
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    limit: 1,
    order: 'oldest-first',
  } as const;
  const found = await waitFor(deps, { session, ...waiting }, async (live) => {
    const messages = filter
      ? await findMessages(deps, live.session, { ...filter, after, before, limit: 1 })
      : await deps.mail.listMessages(key, range);
    return messages.length > 0 ? live : undefined;
  });
  return found ?? requireStillLive(await deps.mail.findSessionByKey(key), session);
}
