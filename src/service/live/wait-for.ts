// Waits for a condition on a session: tries, sleeps until its log grows, tries again. Used by waits for mail.

import type { Requester } from '../../domain/session.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { type LiveReaders, stopping } from './live-readers.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import { type LiveSession, type OpenSession, requireStillLive } from '../session/session-access.ts';
import { withRequester } from '../session/turn-owner.ts';

/** The caller of a wait, which may leave before the answer. */
export type Asker = Requester;

export interface WaitDeps extends ReadThreads {
  readonly mail: MailStore;
  readonly live: LiveReaders;
}

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly asker: Asker;
  /** Whether it reads through a share. */
  readonly isGuest?: boolean;
}

/**
 * Resolves with what `attempt` found, or undefined when the time is up or the caller has gone. `attempt` receives the
 * current session at each try; tries never overlap.
 * @throws MayflyError session_expired, too_many_streams, unavailable (shutting down)
 */
export async function waitFor<T>(
  deps: WaitDeps,
  { session, timeoutMs, asker, isGuest }: WaitOptions & { readonly session: OpenSession },
  attempt: (live: LiveSession) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { key } = session;
  const state = { isWoken: true, isOver: false, isGone: false, isClosing: false };
  let goOn = (): void => undefined;
  const set = (change: Partial<typeof state>) => (): void => {
    Object.assign(state, change);
    goOn();
  };
  const leave = deps.live.enter('wait', key, {
    onWake: set({ isWoken: true }),
    onClose: set({ isClosing: true }),
    network: asker.network,
    isGuest,
  });
  const recordGone = set({ isGone: true });
  if (asker.gone.aborted) recordGone();
  asker.gone.addEventListener('abort', recordGone);
  // One last try at the end, in case a wake-up was lost.
  const timer = setTimeout(set({ isWoken: true, isOver: true }), timeoutMs);
  try {
    for (;;) {
      if (state.isGone) return undefined;
      if (state.isClosing) throw stopping();
      if (state.isWoken) {
        state.isWoken = false;
        const live = requireStillLive(await deps.mail.findSessionByKey(key), session);
        expectMail(deps, live.session);
        const found = await attempt({ ...live, session: withRequester(live.session, asker) });
        if (found !== undefined) return found;
      } else {
        if (state.isOver) return undefined;
        await new Promise<void>((resolve) => (goOn = resolve));
      }
    }
  } finally {
    clearTimeout(timer);
    asker.gone.removeEventListener('abort', recordGone);
    leave();
  }
}
