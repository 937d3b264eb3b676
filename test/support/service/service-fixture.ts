// The services over a real SQLite store in a temporary folder, with a movable clock and a parser that runs in the
// test's own thread and counts its calls. Used by the unit tests beside src/service and src/cli; each test owns its
// data.

import type { Envelope, IncomingMessage, MessageSource, RawMessage } from '../../../src/domain/message.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import type { Session } from '../../../src/domain/session.ts';
import { type OpenSession, stillOpen } from '../../../src/service/session/session-access.ts';
import type { SessionLimits } from '../../../src/service/session/session-limits.ts';
import { openSqliteForTest } from '../../contract/open-sqlite-for-test.ts';
import { openForTest, type OpenedStore } from '../../contract/store-fixture.ts';
import {
  bindTestServices,
  createListeners,
  createTestDeps,
  type TestDeps,
  testLimits,
  threadlessParser,
} from './test-deps.ts';

/** The number of calls of each of the parser's methods. */
export interface ParserCalls {
  parse: number;
  glance: number;
  examine: number;
}

export interface Services {
  readonly store: OpenedStore;
  readonly deps: TestDeps;
  readonly parserCalls: ParserCalls;
  lend(prefix?: string): Promise<OpenSession>;
  /** Stores a message in the sessions and returns its id in the first. */
  deliver(raw: string | Buffer, ...sessions: readonly OpenSession[]): Promise<number>;
  /** Returns the session's current state in the store. */
  refresh(session: OpenSession): Promise<OpenSession>;
}

interface ServicesOptions {
  readonly limits?: Partial<SessionLimits>;
  /** Awaited before the parser starts. */
  readonly beforeParsing?: () => Promise<void>;
}

/** Opens them with one domain, `mayfly.test`, without quarantine. */
export async function openServices({ limits, beforeParsing }: ServicesOptions = {}): Promise<Services> {
  const sessionLimits = { ...testLimits, ...limits };
  const quota = { messages: sessionLimits.sessionMessages, bytes: sessionLimits.sessionBytes };
  const listeners = createListeners();
  const { onNews, onEnded } = listeners;
  const store = await openForTest(openSqliteForTest, { quota, onNews, onEnded });
  await store.directory.addDomain('mayfly.test', 0, 0);
  const parserCalls: ParserCalls = { parse: 0, glance: 0, examine: 0 };
  const parser = createCountingParser(parserCalls, beforeParsing);
  const deps = createTestDeps(store, listeners, { limits: sessionLimits, parser });
  const { services, receiving } = bindTestServices(deps);
  return {
    store,
    deps,
    parserCalls,
    lend: async (prefix) => (await services.createSession({ prefix })).session,
    deliver: async (raw, ...sessions) => {
      const [first] = sessions;
      if (!first) throw new Error('A message needs a session.');
      await receiving.receiveMessage(
        toIncoming(raw, { rcptTo: sessions.map(({ address }) => address) }),
        sessions,
      );
      return (await refreshSession(store, first)).seq;
    },
    refresh: (session) => refreshSession(store, session),
  };
}

/** The session as stores find it. */
export function unopened({ reading: _, ...session }: OpenSession): Session {
  return session;
}

async function refreshSession({ mail }: OpenedStore, session: OpenSession): Promise<OpenSession> {
  const lookup = await mail.findSessionByKey(session.key);
  if (lookup.state !== 'live') throw new Error(`The session is ${lookup.state}.`);
  return stillOpen(lookup.session, session);
}

function createCountingParser(
  calls: ParserCalls,
  beforeParsing: () => Promise<void> = () => Promise.resolve(),
): MessageParser {
  return {
    parse: async (raw, options) => {
      calls.parse += 1;
      await beforeParsing();
      return threadlessParser.parse(raw, options);
    },
    glance: async (head, owner) => {
      calls.glance += 1;
      await beforeParsing();
      return threadlessParser.glance(head, owner);
    },
    search: (text, part, owner) => threadlessParser.search(text, part, owner),
    contents: (bodies, owner) => threadlessParser.contents(bodies, owner),
    examine: async (raw, options) => {
      calls.examine += 1;
      await beforeParsing();
      return threadlessParser.examine(raw, options);
    },
    report: threadlessParser.report,
    checkForMailpit: threadlessParser.checkForMailpit,
    close: () => undefined,
  };
}

/** Returns what a receiving protocol would hand over. */
export function toIncoming(
  raw: string | Buffer,
  envelope: Partial<Envelope> = {},
  source: Partial<MessageSource> = {},
): IncomingMessage {
  return {
    raw: toRawMessage(Buffer.from(raw)),
    envelope: { mailFrom: 'sender@example.org', rcptTo: ['fox@mayfly.test'], ...envelope },
    source: {
      protocol: 'ESMTP',
      remoteAddress: '192.0.2.7',
      helo: 'client.example',
      tls: null,
      ...source,
    },
  };
}

/** In pieces of at most this many bytes. */
export function toRawMessage(bytes: Buffer, pieceBytes = 64 * 1024): RawMessage {
  return {
    sizeBytes: bytes.length,
    head: () => bytes.subarray(0, 64 * 1024),
    *pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
    release: () => undefined,
  };
}

/** Returns a plain message with CRLF line ends. */
export function plainMail(subject: string, body = 'Hello.'): string {
  return `From: Quiet Fox <fox@example.org>\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;
}
