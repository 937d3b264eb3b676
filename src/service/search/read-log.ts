// Reads a session's log from a position on, with the current content of each entry: a message deleted since is omitted.
// Used by streams; webhooks show the same.

import { isSessionGone } from '../../domain/gone.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { SessionEvent } from '../../domain/event.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { type ListDeps, type ListedMessage, toListedMessage } from '../mail/check-mail.ts';
import { isMatch, type MatchDeps } from './find-messages.ts';
import type { Matcher } from './message-filter.ts';
import { SearchEffort } from '../session/search-effort.ts';
import { type LiveSession, type OpenSession, requireStillLive } from '../session/session-access.ts';

export type LogEntry = { readonly seq: number } & (
  | { readonly kind: 'message.received'; readonly message: ListedMessage }
  | {
      readonly kind: 'message.deleted' | 'message.dropped' | 'message.read' | 'message.unread';
      readonly messageId: number;
    }
  | { readonly kind: 'session.extended'; readonly expiresAt: number; readonly now: number }
  | { readonly kind: 'session.renamed'; readonly email: string }
  | { readonly kind: 'session.expired'; readonly at: number }
  /** The position is not in the log, or precedes its oldest entry, so the reader must list again. */
  | { readonly kind: 'reset' }
);

export interface LogPage {
  /** In order. */
  readonly entries: readonly LogEntry[];
  /** The position to continue from. */
  readonly position: number;
  /** The session is over: nothing will follow `position`. */
  readonly isEnded: boolean;
  /** Whether more may be there already. */
  readonly hasMore: boolean;
}

export interface ReadLogDeps extends MatchDeps, ListDeps {
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  readonly mail: MailStore;
}

export interface LogRequest {
  /** The last position read; one beyond the newest entry, or NaN, causes a reset. */
  readonly after: number;
  readonly limit: number;
  /** Omits other messages that arrived; other entries are all included. */
  readonly matcher?: Matcher | undefined;
}

/** @throws MayflyError unavailable when the filter takes too long or the caller has gone */
export async function readLog(
  deps: ReadLogDeps,
  session: OpenSession,
  request: LogRequest,
): Promise<LogPage> {
  try {
    const lookup = await deps.mail.findSessionByKey(session.key);
    if (lookup.state === 'live') return await readLive(deps, requireStillLive(lookup, session), request);
  } catch (error) {
    if (!isSessionGone(error)) throw error;
  }
  return readEnd(deps, session.key, request.after);
}

/** @throws MayflyError session_expired when the session ends meanwhile */
async function readLive(
  deps: ReadLogDeps,
  { session, now }: LiveSession,
  { after, limit, matcher }: LogRequest,
): Promise<LogPage> {
  const { key } = session;
  if (session.seq === after) return { entries: [], position: after, isEnded: false, hasMore: false };
  const isOurs = after < session.seq;
  if (after === session.seq - 1) {
    // Nearly always a single message arrived: no need to read the log.
    const entry = await toMessageEntry(deps, session, session.seq);
    if (entry) {
      const entries = await keepMatching(deps, session, { entries: [entry], matcher });
      return { entries, position: session.seq, isEnded: false, hasMore: false };
    }
  }
  const page = isOurs ? await deps.mail.listEvents(key, after, limit) : undefined;
  if (!page || page.reset) {
    const reset = { seq: session.seq, kind: 'reset' } as const;
    return { entries: [reset], position: session.seq, isEnded: false, hasMore: false };
  }
  const entries = await Promise.all(page.events.map((event) => toEntry(deps, { session, now }, event)));
  const shown = entries.filter((entry) => entry !== undefined);
  return {
    entries: await keepMatching(deps, session, { entries: shown, matcher }),
    position: page.events.at(-1)?.seq ?? session.seq,
    isEnded: false,
    hasMore: page.events.length === limit,
  };
}

async function keepMatching(
  deps: MatchDeps,
  session: OpenSession,
  { entries, matcher }: { readonly entries: readonly LogEntry[]; readonly matcher: Matcher | undefined },
): Promise<readonly LogEntry[]> {
  if (!matcher) return entries;
  return new SearchEffort(session).keep(
    entries,
    (entry) =>
      entry.kind !== 'message.received' || isMatch(deps, session, { listed: entry.message, matcher }),
  );
}

/** Messages of an ended session can no longer be shown, and its log may be gone too. */
async function readEnd({ mail, now }: ReadLogDeps, key: SessionKey, after: number): Promise<LogPage> {
  const from = Number.isNaN(after) ? 0 : after;
  const { events } = await mail.listEvents(key, from, Number.MAX_SAFE_INTEGER);
  const end = events.find((event) => event.kind === 'session.expired');
  const entry = { kind: 'session.expired', seq: end?.seq ?? from + 1, at: end?.at ?? now() } as const;
  return { entries: [entry], position: entry.seq, isEnded: true, hasMore: false };
}

/** Resolves with undefined if there is no message with this number any more. */
async function toMessageEntry(
  deps: ReadLogDeps,
  session: OpenSession,
  seq: number,
): Promise<LogEntry | undefined> {
  const stored = await deps.mail.findMessage(session.key, seq);
  const message = stored && (await toListedMessage(deps, session, stored));
  if (message === undefined) return undefined;
  return { seq, kind: 'message.received', message };
}

/** Resolves with undefined if its subject has been deleted meanwhile. */
async function toEntry(
  deps: ReadLogDeps,
  { session, now }: { session: OpenSession; now: number },
  { seq, kind, at, messageId }: SessionEvent,
): Promise<LogEntry | undefined> {
  switch (kind) {
    case 'message.received':
      return toMessageEntry(deps, session, seq);
    case 'message.deleted':
    case 'message.dropped':
    case 'message.read':
    case 'message.unread':
      return { seq, kind, messageId: messageId ?? 0 };
    case 'session.extended':
      return { seq, kind, expiresAt: session.expiresAt, now };
    case 'session.renamed':
      return { seq, kind, email: session.address };
    case 'session.expired':
      return { seq, kind, at };
  }
}
