// Wakes readers that wait for news of a session. Carries no news itself: a woken reader reads the session's log after
// its own position, so lost or repeated wake-ups do no harm. The store wakes after each commit that extended a log, and
// streams and long polls subscribe. The store's wake channel calls `wake` for commits of other nodes.

import { type SessionKey, toKeyText } from '../domain/session.ts';

export interface SessionBus {
  /** Costs one look-up for a session without watchers. Watchers are called in a later turn, once for several calls. */
  wake(key: SessionKey): void;
  /** Wakes all watchers, for when news may have been missed. */
  wakeAll(): void;
  /** Returns a function that ends the subscription. `onWake` must not throw. */
  subscribe(key: SessionKey, onWake: () => void): () => void;
  close(): void;
}

/** Every watcher is woken at least this often, which bounds the delay of a lost wake-up. */
const longestSilenceMs = 2000;
/** Spreads these rounds, so that ten thousand watchers do not read in one turn. */
const slices = 40;

type Watchers = Set<() => void>;

export function createSessionBus(): SessionBus {
  const watched = new Map<string, Watchers>();
  let woken = new Set<Watchers>();
  let round: Iterator<Watchers> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    const all = woken;
    woken = new Set();
    for (const watchers of all) for (const onWake of [...watchers]) onWake();
  }

  function add(watchers: Watchers): void {
    if (woken.size === 0) setImmediate(flush);
    woken.add(watchers);
  }

  function wakeSlice(): void {
    const count = Math.ceil(watched.size / slices);
    for (let done = 0; done < count; done++) {
      const next = (round ??= watched.values()).next();
      if (next.done) {
        round = undefined;
        return;
      }
      // Already a turn of its own, so call directly.
      for (const onWake of next.value) onWake();
    }
  }

  return {
    wake(key) {
      if (watched.size === 0) return;
      const watchers = watched.get(toKeyText(key));
      if (watchers) add(watchers);
    },
    wakeAll() {
      for (const watchers of watched.values()) add(watchers);
    },
    subscribe(key, onWake) {
      const name = toKeyText(key);
      const watchers = watched.get(name) ?? new Set();
      watched.set(name, watchers.add(onWake));
      timer ??= setInterval(wakeSlice, longestSilenceMs / slices).unref();
      return () => {
        watchers.delete(onWake);
        if (watchers.size > 0 || watched.get(name) !== watchers) return;
        watched.delete(name);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        round = undefined;
      };
    },
    close() {
      clearInterval(timer);
      watched.clear();
    },
  };
}
