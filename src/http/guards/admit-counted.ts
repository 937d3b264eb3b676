// Counts requests by their credentials, on every listener: our own interface and the dialects.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { withRequester } from '../../service/session/turn-owner.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../caller.ts';
import type { Admitted } from './credentials.ts';

/**
 * Resolves with what `admit` found, its session's work charged to the caller. Counts the request against the session,
 * and wrong credentials against the client's address.
 * @throws MayflyError rate_limited, and those of `admit`
 */
export async function admitCounted<T extends { readonly live: LiveSession; readonly by: Admitted['by'] }>(
  access: Pick<Access, 'recordWrongCredential' | 'takeRequest'>,
  caller: Caller,
  admit: () => Promise<T>,
): Promise<T> {
  let admission: T;
  try {
    admission = await admit();
  } catch (error) {
    if (error instanceof MayflyError && error.code === 'unknown_token') access.recordWrongCredential(caller);
    throw error;
  }
  const { live, by } = admission;
  caller.recordSession(live.session.key);
  access.takeRequest(caller, live.session, by);
  return { ...admission, live: { ...live, session: withRequester(live.session, caller) } };
}
