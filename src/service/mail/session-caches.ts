// Groups all caches of content shown to readers, so that the end of a session clears it from each, and so do some
// minutes without a request for it.

import type { ParsedMessage } from '@mayfly/mail-reader';
import type { SessionKey } from '../../domain/session.ts';
import type { SanitiseOutcome } from '#mail-threads/html-sanitiser';
import type { ExaminedMessage } from '#mail-threads/reader-protocol';
import { epochMs } from '#sealing/sealer';
import type { CachedList } from './check-mail.ts';
import type { HeadFacts } from './message-heads.ts';
import { SessionCache } from '../session/session-cache.ts';

/** An answer of read-mail as sent. */
export interface CachedAnswer {
  readonly body: Buffer;
  /** The store's clock when its tickets were made, ms since 1970. */
  readonly madeAt: number;
  /** The last session version at which the message was seen to exist. */
  version: number;
}

export interface SessionCaches {
  readonly lists: SessionCache<CachedList>;
  readonly parsedMessages: SessionCache<ParsedMessage>;
  readonly safeHtml: SessionCache<SanitiseOutcome>;
  readonly answers: SessionCache<CachedAnswer>;
  /** Facts that searches learnt from whole messages. */
  readonly facts: SessionCache<ExaminedMessage | null>;
  /** Facts from headers, for the lists of dialects. */
  readonly heads: SessionCache<HeadFacts>;
  /** Whether no cache holds or makes anything. */
  readonly areEmpty: () => boolean;
  /** Call when the session has ended. */
  readonly forget: (key: SessionKey) => void;
  /** Call when sessions may have ended unnoticed. */
  readonly forgetAll: () => void;
}

export interface SessionCacheBounds {
  readonly listedMessages: number;
  readonly parsedBytes: number;
  readonly safeHtmlBytes: number;
  readonly answerBytes: number;
  readonly factsBytes: number;
  readonly headBytes: number;
  /** How long entries may go unused. */
  readonly idleMaxMs: number;
}

const megabyte = 1024 * 1024;
const defaultBounds: SessionCacheBounds = {
  listedMessages: 20_000,
  parsedBytes: 12 * megabyte,
  safeHtmlBytes: 12 * megabyte,
  answerBytes: 12 * megabyte,
  factsBytes: 4 * megabyte,
  headBytes: 12 * megabyte,
  idleMaxMs: epochMs,
};

export function createSessionCaches(bounds: Partial<SessionCacheBounds> = {}): SessionCaches {
  const { listedMessages, parsedBytes, safeHtmlBytes, answerBytes, factsBytes, headBytes, idleMaxMs } = {
    ...defaultBounds,
    ...bounds,
  };
  const caches = {
    lists: new SessionCache<CachedList>(listedMessages, idleMaxMs),
    parsedMessages: new SessionCache<ParsedMessage>(parsedBytes, idleMaxMs),
    safeHtml: new SessionCache<SanitiseOutcome>(safeHtmlBytes, idleMaxMs),
    answers: new SessionCache<CachedAnswer>(answerBytes, idleMaxMs),
    facts: new SessionCache<ExaminedMessage | null>(factsBytes, idleMaxMs),
    heads: new SessionCache<HeadFacts>(headBytes, idleMaxMs),
  };
  const all = Object.values(caches);
  return {
    ...caches,
    areEmpty: () => all.every(({ isEmpty }) => isEmpty),
    forget: (key) => {
      for (const cache of all) cache.forget(key);
    },
    forgetAll: () => {
      for (const cache of all) cache.clear();
    },
  };
}
