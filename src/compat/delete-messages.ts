// Deletes many messages of a session, which the store commits in groups.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { Session } from '../domain/session.ts';
import type { Services } from '../service/services.ts';

const deletedAtOnce = 100;

/** One that went meanwhile is gone too. */
export async function deleteMessages(
  services: Pick<Services, 'deleteMail'>,
  session: Session,
  ids: readonly number[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += deletedAtOnce) {
    const some = ids.slice(at, at + deletedAtOnce);
    await Promise.all(some.map((id) => services.deleteMail(session, id).catch(ignoreGone)));
  }
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof MayflyError) || error.code !== 'message_not_found') throw error;
}
