// Operations on sessions for operators: counting them, finding one by address, ending it. Reads no messages and
// reveals no tokens. Called by the CLI and the admin interface.

import type { MailStore } from '../../store/mail-store.ts';
import type { FoundSession, SessionFinder } from '../../store/session-finder.ts';
import { OperatorError } from './operator-error.ts';

export interface FindSessionsDeps {
  readonly mail: MailStore;
  readonly finder: SessionFinder;
}

export const foundMax = 1000;

/** Returns live sessions whose address begins with `start`; all for ''. */
export function findSessions(deps: FindSessionsDeps, start: string, limit: number): Promise<FoundSession[]> {
  return deps.finder.findLive(start.trim().toLowerCase(), Math.min(limit, foundMax));
}

/** Ends the live session that holds the address. @throws OperatorError */
export async function endSessionOf(deps: FindSessionsDeps, text: string): Promise<string> {
  const address = text.trim().toLowerCase();
  const session = await deps.mail.findLiveSession(address);
  if (session && (await deps.mail.endSession(session.key))) return session.address;
  throw new OperatorError(`No live session has the address ${JSON.stringify(text.slice(0, 100))}.`);
}
