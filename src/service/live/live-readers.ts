// Tracks all requests that wait for news: streams and waits. Counts them per session, so that one token cannot hold
// thousands of connections, and ends them all at shutdown.

import { networkShares } from '#networks/network-shares';
import { SharedBudget } from '#networks/shared-budget';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type SessionKey, toKeyText } from '../../domain/session.ts';
import type { SessionBus } from '../../events/session-bus.ts';

export type ReaderKind = 'stream' | 'wait';

export interface LiveLimits {
  /** The most open at once for one session; Infinity for no limit. */
  readonly streamsPerSession: number;
  readonly waitsPerSession: number;
  /** The most open at once from one network; Infinity for no limit. */
  readonly streamsPerAddress: number;
  readonly waitsPerAddress: number;
  /** The most of both kinds over all sessions. */
  readonly readersMax: number;
}

export interface LiveReaders {
  /**
   * Adds a reader. `onWake`: read again; `onClose`: the service stops. Returns a function that removes it and may be
   * called twice.
   * @throws MayflyError too_many_streams, unavailable
   */
  enter(kind: ReaderKind, key: SessionKey, reader: LiveReader): () => void;
  /** Reports whether a reader here waits for news of the session. */
  isAwaited(key: SessionKey): boolean;
  /** Returns the number of readers, of one kind or both. */
  count(kind?: ReaderKind): number;
  /** Ends all readers and admits no more. */
  close(): void;
}

export interface LiveReader {
  /** The network that it counts against; none when absent. */
  readonly network?: string | undefined;
  /** Whether it reads through a share. Together, shares have half the session's limit, in addition to its holder's. */
  readonly isGuest?: boolean | undefined;
  onWake(): void;
  onClose(): void;
}

const retry = { retryAfterSeconds: 5 };

export function createLiveReaders(bus: SessionBus, limits: LiveLimits): LiveReaders {
  const counts: Readonly<Record<ReaderKind, Map<string, number>>> = { stream: new Map(), wait: new Map() };
  /** Readers through shares, which must not use up the holder's places. */
  const guestCounts: typeof counts = { stream: new Map(), wait: new Map() };
  const countAddress = createAddressCounts(limits);
  const maxima = { stream: limits.streamsPerSession, wait: limits.waitsPerSession };
  const readers = new Set<LiveReader>();
  let isClosed = false;

  function checkRoom(kind: ReaderKind, open: number, max: number): void {
    if (isClosed) throw stopping();
    if (open >= max) throw tooManyOpen('The session', kind, open);
    if (readers.size >= limits.readersMax) {
      throw new MayflyError('unavailable', 'Too many clients wait for news here just now.', retry);
    }
  }

  return {
    enter(kind, key, reader) {
      const { isGuest = false } = reader;
      const name = toKeyText(key);
      const count = (isGuest ? guestCounts : counts)[kind];
      const open = count.get(name) ?? 0;
      checkRoom(kind, open, isGuest ? Math.ceil(maxima[kind] / 2) : maxima[kind]);
      const leaveAddress = countAddress(kind, reader.network);
      count.set(name, open + 1);
      readers.add(reader);
      const unsubscribe = bus.subscribe(key, () => {
        reader.onWake();
      });
      return () => {
        if (!readers.delete(reader)) return;
        unsubscribe();
        subtractOne(count, name);
        leaveAddress?.();
      };
    },
    isAwaited(key) {
      if (readers.size === 0) return false;
      const name = toKeyText(key);
      return [counts, guestCounts].some(({ stream, wait }) => stream.has(name) || wait.has(name));
    },
    count: (kind) => (kind === undefined ? readers.size : sum(counts[kind]) + sum(guestCounts[kind])),
    close() {
      isClosed = true;
      for (const reader of [...readers]) reader.onClose();
    },
  };
}

/** Returns a function that counts one more reader and returns its removal; undefined when nothing is counted. */
function createAddressCounts({
  streamsPerAddress: stream,
  waitsPerAddress: wait,
}: LiveLimits): (kind: ReaderKind, network: string | undefined) => (() => void) | undefined {
  const maxima = { stream, wait };
  const budgets = { stream: new SharedBudget(Infinity), wait: new SharedBudget(Infinity) };
  return (kind, network) => {
    const max = maxima[kind];
    if (network === undefined || max === Infinity) return undefined;
    const claim = budgets[kind].claim(networkShares(network, max));
    if (claim.isHeld) return claim.release;
    const open = claim.spent ? budgets[kind].usedBy(claim.spent.key) : max;
    throw tooManyOpen('Your address', kind, open);
  };
}

function tooManyOpen(owner: string, kind: ReaderKind, open: number): MayflyError {
  const what = kind === 'stream' ? 'event streams' : 'waiting requests';
  return new MayflyError('too_many_streams', `${owner} has ${open} ${what} open; close one.`, retry);
}

function subtractOne(counts: Map<string, number>, name: string): void {
  const left = (counts.get(name) ?? 1) - 1;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

export function stopping(): MayflyError {
  return new MayflyError('unavailable', 'The service is shutting down; try again soon.', retry);
}
