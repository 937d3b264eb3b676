// All dependencies of the services, over a test's own store: real except for threads, DNS and the operator's mailbox.
// Used by the fixtures of unit tests, HTTP and SMTP.

import { randomBytes } from 'node:crypto';

import { glanceAt, holdsText, parseMessage, readBodyContents } from '@mayfly/mail-reader';
import { GcraLimiter } from '#networks/gcra-limiter';
import { createSessionBus } from '../../../src/events/session-bus.ts';
import { examineMessage } from '#mail-threads/examine-message';
import { makeMailpitCheck, makeReport } from '#mail-threads/make-report';
import type { MessageParser } from '#mail-threads/message-parser';
import { createDeliveryLog } from '../../../src/service/records/delivery-log.ts';
import { createLiveReaders, type LiveReaders } from '../../../src/service/live/live-readers.ts';
import { noAuthentications } from '../../../src/service/mail/message-authentications.ts';
import { createMessageGlances } from '../../../src/service/mail/message-glances.ts';
import {
  createReceiving,
  createServices,
  type Receiving,
  type ReceivingParts,
  type ServiceParts,
  type Services,
  type ServiceSettings,
} from '../../../src/service/services.ts';
import { createSessionCaches, type SessionCaches } from '../../../src/service/mail/session-caches.ts';
import { SmtpFaults } from '../../../src/service/receiving/smtp-faults.ts';
import { createRefusedRecipients } from '../../../src/service/records/refused-recipients.ts';
import { createServiceTurns } from '../../../src/service/session/service-turns.ts';
import type { SessionLimits } from '../../../src/service/session/session-limits.ts';
import type { SessionKey } from '../../../src/domain/session.ts';
import type { SqlStores, Stores } from '../../../src/store/stores.ts';
import { createKeptMailbox } from './kept-mailbox.ts';
import { createThreadlessSanitiser } from './threadless-sanitiser.ts';

export const testLimits: SessionLimits = {
  lifetimeDefaultSeconds: 3600,
  lifetimeMinSeconds: 60,
  lifetimeMaxSeconds: 86_400,
  totalMaxSeconds: 7 * 86_400,
  quarantineSeconds: 0,
  isKeyRequired: false,
  sessionMessages: 100,
  sessionBytes: 50_000_000,
};

const testLiveLimits = {
  streamsPerAddress: Infinity,
  waitsPerAddress: Infinity,
  streamsPerSession: 3,
  waitsPerSession: 10,
  readersMax: 20_000,
};

/** The real parser without its threads. */
export const threadlessParser: MessageParser = {
  parse: (raw) => Promise.resolve(parseMessage(raw)),
  glance: (head) => Promise.resolve(glanceAt(head)),
  search: (text, part) => Promise.resolve(holdsText(text, part)),
  contents: (bodies) => Promise.resolve(readBodyContents(bodies)),
  examine: (raw, { parts }) => Promise.resolve(examineMessage(raw, parts)),
  report: (input) => makeReport(input),
  checkForMailpit: (check, bodies) => makeMailpitCheck(check, bodies),
  close: () => undefined,
};

/** Options for opening a store, and the listeners to its events. */
export interface Listeners {
  readonly live: LiveReaders;
  readonly caches: SessionCaches;
  readonly smtpFaults: SmtpFaults;
  readonly onNews: (key: SessionKey) => void;
  readonly onEnded: (key: SessionKey) => void;
}

export function createListeners(): Listeners {
  const bus = createSessionBus();
  const caches = createSessionCaches();
  const onNews = (key: SessionKey): void => {
    bus.wake(key);
  };
  const smtpFaults = new SmtpFaults();
  const onEnded = (key: SessionKey): void => {
    caches.forget(key);
    smtpFaults.forget(key);
  };
  return { live: createLiveReaders(bus, testLiveLimits), caches, smtpFaults, onNews, onEnded };
}

/** The dependencies of all use cases combined; tests pass each use case what it needs. */
export type TestDeps = ServiceSettings &
  ServiceParts &
  ReceivingParts &
  SqlStores &
  Pick<Stores, 'mail' | 'now' | 'operatorMailbox'>;

export function bindTestServices(deps: TestDeps): {
  readonly services: Services;
  readonly receiving: Receiving;
} {
  return { services: createServices(deps, deps, deps), receiving: createReceiving(deps, deps, deps) };
}

/** `given` takes precedence. */
export function createTestDeps(
  stores: Omit<Stores, 'operatorMailbox'>,
  { live, caches, smtpFaults }: Listeners,
  given: { readonly limits?: SessionLimits; readonly parser?: MessageParser } = {},
): TestDeps {
  const fail = (error: unknown): never => {
    throw error;
  };
  const { limits = testLimits, parser = threadlessParser } = given;
  const { mail, directory, attempts, finder } = stores;
  const turns = createServiceTurns(2);
  return {
    ...stores,
    masksGmailAccounts: false,
    dotVariantKey: (email) => Buffer.from(email),
    serverKey: randomBytes(32),
    live,
    limits,
    parser,
    glances: createMessageGlances({ mail, turns, parser, onError: fail }),
    authentications: noAuthentications,
    ...caches,
    sanitiser: createThreadlessSanitiser(),
    readers: { expect: () => undefined },
    remoteImages: null,
    hostname: 'mx.mayfly.test',
    operatorMailbox: createKeptMailbox(),
    turns,
    sharedInbox: undefined,
    webhooks: undefined,
    push: undefined,
    captureByName: undefined,
    isSenderBlocked: () => false,
    onDiscarded: () => undefined,
    onStored: () => undefined,
    onReceived: () => undefined,
    onGmailMessage: () => undefined,
    onDelivered: () => undefined,
    smtpFaults,
    wrongCredentials: new GcraLimiter({ count: Infinity, periodMs: 60_000 }),
    deliveryLog: createDeliveryLog({ mail, attempts, onError: fail }),
    refusedRecipients: createRefusedRecipients({ clock: Date.now, finder, directory }),
  };
}
