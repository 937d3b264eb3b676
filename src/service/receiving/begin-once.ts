// Calls that send mail and are carried out once, by a key that the caller chose: what is known of a key is durable before
// anything is sent, and the messages of the call have origins made of it, so that a session stores each only once however
// often the call comes, also after a crash between the two.

import { createHash } from 'node:crypto';

import { sessionExpired } from '../../domain/gone.ts';
import type { Session } from '../../domain/session.ts';
import type { SessionTextStore } from '../../store/session-text-store.ts';
import { changeSessionText, type TextTurns } from '../session/change-session-text.ts';

export interface BeginOnceDeps extends TextTurns {
  readonly sentKeys: SessionTextStore;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
}

export interface OnceCall {
  /** Callers of different names have different keys. */
  readonly caller: string;
  readonly key: string;
  /** Identifies the content of the call. */
  readonly payload: string;
  /** How long the key is remembered. */
  readonly lifetimeMs: number;
}

export interface Begun {
  /** Whether the key was known already; the messages may be missing even then. */
  readonly isKnown: boolean;
  /** Whether it was first used for this payload. */
  readonly isSame: boolean;
  /** 16 bytes for the message at this place of the call. */
  readonly originOf: (place: number) => Uint8Array;
}

/** A key, its payload, and when it began and will be forgotten, ms since 1970. */
type Entry = readonly [key: string, payload: string, beganAt: number, endsAt: number];

/** Beyond, the oldest are forgotten early. */
const entriesMax = 500;

/** @throws MayflyError session_expired, unavailable */
export async function beginOnce(
  { sentKeys, turns, now }: BeginOnceDeps,
  session: Session,
  { caller, key, payload, lifetimeMs }: OnceCall,
): Promise<Begun> {
  const at = now();
  // The session's salt is deleted with it, and with that any way back from a hash to a key.
  const mine = digest(session.salt, caller, key).toString('base64url');
  const wanted = digest(session.salt, payload).toString('base64url');
  let found: Entry | undefined;
  const outcome = await changeSessionText({ turns }, { texts: sentKeys, session }, (before) => {
    const entries = parse(before).filter(([, , , endsAt]) => endsAt > at);
    found = entries.find(([known]) => known === mine);
    if (found) return undefined;
    const entry: Entry = [mine, wanted, at, at + lifetimeMs];
    return JSON.stringify([...entries, entry].slice(-entriesMax));
  });
  if (outcome === 'over') throw sessionExpired();
  const [, known, beganAt] = found ?? [mine, wanted, at];
  return {
    isKnown: found !== undefined,
    isSame: known === wanted,
    originOf: (place) => digest(session.salt, mine, String(beganAt), String(place)),
  };
}

function parse(text: string | null): readonly Entry[] {
  return text === null ? [] : (JSON.parse(text) as readonly Entry[]);
}

function digest(salt: Uint8Array, ...parts: readonly string[]): Buffer {
  return createHash('sha256').update(salt).update(JSON.stringify(parts)).digest().subarray(0, 16);
}
