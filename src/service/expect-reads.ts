// Tells the threads that read messages that one may come or be opened soon: most installations get a mail every few
// minutes, so nearly every look would find them ended. One is kept while a session lives that was lent, listed, streamed
// or sent mail since the start, or that lived when the service was started.
import type { Session } from '../domain/session.ts';
import type { SessionFinder } from '../store/session-finder.ts';

/** What is faster at reading a message when told before that one may be opened. Cheap. */
export interface ReadThreads {
  readonly readers: { expect(keepMs?: number): void };
}

/** A session is lent, its list or a stream of it is opened, or mail comes for it. Cheap: called for each recipient. */
export function expectMail({ readers }: ReadThreads, { expiresAt }: Pick<Session, 'expiresAt'>): void {
  const keepMs = expiresAt - Date.now();
  if (keepMs > 0) readers.expect(keepMs);
}

/** Of more sessions than that some are due late, and the others will be heard of soon. */
const lookedAt = 1000;

/** At a start: whoever was lent an address before comes back to see what is there. */
export async function expectMailOfLive(deps: ReadThreads, finder: SessionFinder): Promise<void> {
  const found = await finder.findLive('', lookedAt);
  const expiresAt = found.reduce((latest, one) => Math.max(latest, one.expiresAt), 0);
  expectMail(deps, { expiresAt });
}
