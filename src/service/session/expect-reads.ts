// Starts the threads that read messages before they are needed: most installations receive a message every few minutes,
// so nearly every reader would find them stopped. One thread is kept while a session is live that was created, listed,
// streamed or sent mail since the start, or that was live at the start.
import type { Session } from '../../domain/session.ts';
import type { SessionFinder } from '../../store/session-finder.ts';

/** Prepares to read a message soon. Cheap. */
export interface ReadThreads {
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  readonly readers: { expect(keepMs?: number): void };
}

/**
 * Call when a session is created, its list or stream is opened, or mail arrives for it. Cheap enough for every
 * recipient.
 */
export function expectMail({ readers, now }: ReadThreads, { expiresAt }: Pick<Session, 'expiresAt'>): void {
  const keepMs = expiresAt - now();
  if (keepMs > 0) readers.expect(keepMs);
}

/** The most sessions examined at a start; the others are covered when they are next used. */
const lookedAt = 1000;

/** Call at a start, because the holders of live sessions are likely to return. */
export async function expectMailOfLive(deps: ReadThreads, finder: SessionFinder): Promise<void> {
  const found = await finder.findLive('', lookedAt);
  const expiresAt = found.reduce((latest, one) => Math.max(latest, one.expiresAt), 0);
  expectMail(deps, { expiresAt });
}
