// Everybody who has a request open for news: streams and waits. Counts them per session, so that one token cannot
// hold thousands of connections, and ends them all at shutdown. Made by app.ts.

import { MayflyError } from '../domain/mayfly-error.ts';
import type { SessionKey } from '../domain/session.ts';
import type { SessionBus } from '../events/session-bus.ts';

export type ReaderKind = 'stream' | 'wait';

export interface LiveLimits {
  /** Open at once for one session; Infinity for none. */
  readonly streamsPerSession: number;
  readonly waitsPerSession: number;
  /** Of both kinds and all sessions. */
  readonly readersMax: number;
}

export interface LiveReaders {
  /**
   * `onWake`: read again; `onClose`: the service stops. Returns what ends it, safe to call twice.
   * @throws MayflyError too_many_streams, unavailable
   */
  enter(kind: ReaderKind, key: SessionKey, reader: LiveReader): () => void;
  /** Readers there are now. */
  count(): number;
  /** Ends all and admits no more. */
  close(): void;
}

export interface LiveReader {
  onWake(): void;
  onClose(): void;
}

const retrySeconds = 5;

export function createLiveReaders(bus: SessionBus, limits: LiveLimits): LiveReaders {
  const counts: Readonly<Record<ReaderKind, Map<string, number>>> = { stream: new Map(), wait: new Map() };
  const maxima = { stream: limits.streamsPerSession, wait: limits.waitsPerSession };
  const readers = new Set<LiveReader>();
  let isClosed = false;

  function checkRoom(kind: ReaderKind, open: number): void {
    const retry = { retryAfterSeconds: retrySeconds };
    if (isClosed) throw stopping();
    if (open >= maxima[kind]) {
      const what = kind === 'stream' ? 'event streams' : 'waiting requests';
      throw new MayflyError('too_many_streams', `The session has ${open} ${what} open; close one.`, retry);
    }
    if (readers.size >= limits.readersMax) {
      throw new MayflyError('unavailable', 'Too many clients wait for news here just now.', retry);
    }
  }

  return {
    enter(kind, key, reader) {
      const name = Buffer.from(key).toString('latin1');
      const count = counts[kind];
      const open = count.get(name) ?? 0;
      checkRoom(kind, open);
      count.set(name, open + 1);
      readers.add(reader);
      const unsubscribe = bus.subscribe(key, () => {
        reader.onWake();
      });
      return () => {
        if (!readers.delete(reader)) return;
        unsubscribe();
        const left = (count.get(name) ?? 1) - 1;
        if (left === 0) count.delete(name);
        else count.set(name, left);
      };
    },
    count: () => readers.size,
    close() {
      isClosed = true;
      for (const reader of [...readers]) reader.onClose();
    },
  };
}

export function stopping(): MayflyError {
  return new MayflyError('unavailable', 'The service is shutting down; try again soon.', {
    retryAfterSeconds: retrySeconds,
  });
}
