// A real SMTP listener on a free port over a SQLite store in a temporary folder, with the real services. Each test has
// its own; both end with it.

import { tmpdir } from 'node:os';

import { onTestFinished } from 'vitest';

import { GcraLimiter } from '#networks/gcra-limiter';
import { ScratchFile } from '#mail-receiver/scratch-file';
import { captureLabel } from '../../../src/domain/addresses/capture.ts';
import { createDeliveryLog, type LoggedAttempt } from '../../../src/service/records/delivery-log.ts';
import { createRefusedRecipients } from '../../../src/service/records/refused-recipients.ts';
import { openRaw } from '../../../src/service/session/sealed-raw.ts';
import type { OpenSession } from '../../../src/service/session/session-access.ts';
import type { Services } from '../../../src/service/services.ts';
import type { TlsCertificate } from '#certificates/tls-certificate';
import type { AdmissionOptions } from '#smtp-listener/admission';
import type { MailReceiver } from '../../../src/smtp/mail-receiver.ts';
import type { SmtpListener, SmtpListenerSettings } from '#smtp-listener/listen';
import { createSmtpServer } from '../../../src/smtp/smtp-server.ts';
import { openSqliteForTest } from '../../contract/open-sqlite-for-test.ts';
import { openLive, type OpenedStore, openForTest, listIds } from '../../contract/store-fixture.ts';
import { createRefusingReceiver } from './refusing-receiver.ts';
import { connectTo, type SmtpClient } from './smtp-client.ts';
import { bindTestServices, createListeners, createTestDeps, testLimits } from '../service/test-deps.ts';
import { createMetrics } from '../../../src/observe/metrics.ts';

export const testDomain = 'mayfly.test';

export interface SmtpFixture {
  readonly server: SmtpListener;
  readonly port: number;
  readonly store: OpenedStore;
  /** Events logged as errors. */
  readonly errors: string[];
  /** Transactions currently open, as reported by the listener. */
  readonly incoming: { count: number };
  readonly services: Services;
  lend(prefix: string): Promise<OpenSession>;
  /** Creates a capture session, with its credentials. */
  capture(): Promise<LentCapture>;
  /** Returns the raw messages of a session, oldest first. */
  textsOf(session: OpenSession): Promise<string[]>;
  /** Returns its delivery log, newest first. */
  attemptsOf(session: OpenSession): Promise<LoggedAttempt[]>;
  connect(): Promise<SmtpClient>;
  /** Connects a client and sends EHLO. */
  greet(): Promise<SmtpClient>;
}

export interface LentCapture {
  readonly session: OpenSession;
  readonly label: string;
  readonly token: string;
}

export interface SmtpFixtureOptions {
  /** Wrong passwords a minute; unlimited by default. */
  readonly authFailuresPerMinute?: number;
  readonly settings?: Partial<SmtpListenerSettings>;
  readonly quota?: { readonly messages: number; readonly bytes: number };
  /** Called for each discarded message. */
  readonly onDiscarded?: () => void;
  readonly wrapReceiver?: (receiver: MailReceiver) => MailReceiver;
  readonly vitals?: AdmissionOptions['vitals'];
  readonly tls?: TlsCertificate;
}

async function textsOf(store: OpenedStore, session: OpenSession): Promise<string[]> {
  const texts: string[] = [];
  for (const id of await listIds(store, session)) {
    const pieces: Buffer[] = [];
    for await (const piece of openRaw(store.mail, session, id)) pieces.push(piece);
    texts.push(Buffer.concat(pieces).toString('latin1'));
  }
  return texts;
}

export async function startSmtp(options: SmtpFixtureOptions = {}): Promise<SmtpFixture> {
  const { quota, onDiscarded = () => undefined, wrapReceiver = (receiver) => receiver } = options;
  const listeners = createListeners();
  const { onNews, onEnded } = listeners;
  const store = await openForTest(openSqliteForTest, { onNews, onEnded, ...(quota ? { quota } : {}) });
  await store.directory.addDomain(testDomain, 0, 0);
  const errors: string[] = [];
  const incoming = { count: 0 };
  const deliveryLog = createDeliveryLog({
    mail: store.mail,
    attempts: store.attempts,
    onError: () => void errors.push('delivery_log.not_kept'),
  });
  const limits = {
    ...testLimits,
    ...(quota ? { sessionMessages: quota.messages, sessionBytes: quota.bytes } : {}),
  };
  const wrongCredentials = new GcraLimiter({
    count: options.authFailuresPerMinute ?? Infinity,
    periodMs: 60_000,
  });
  const deps = {
    ...createTestDeps(store, listeners, { limits }),
    deliveryLog,
    onDiscarded,
    wrongCredentials,
    refusedRecipients: createRefusedRecipients({ ...store, clock: () => store.clock.now() }),
  };
  const { services, receiving } = bindTestServices(deps);
  const ignore = (): void => undefined;
  const server = await createSmtpServer({
    settings: {
      host: '127.0.0.1',
      port: 0,
      hostname: 'mx.test',
      bareLineFeed: 'refuse',
      authInsecure: 'off',
      messageMaxBytes: 36 * 1024 * 1024,
      recipientsMax: 100,
      connectionsMax: Infinity,
      connectionsPerAddressMax: Infinity,
      connectsPerMinute: Infinity,
      messagesPerMinute: Infinity,
      badCommandsMax: Infinity,
      unknownRecipientsMax: Infinity,
      inFlightMaxBytes: Infinity,
      proxyAddresses: [],
      idleTimeoutSeconds: 300,
      ...options.settings,
    },
    metrics: createMetrics(),
    offersTlsOnLoopback: () => true,
    spill: { afterBytes: 128 * 1024, open: () => new ScratchFile(tmpdir()) },
    tls: options.tls,
    vitals: options.vitals ?? { isOverloaded: () => false, isDiskLow: () => false },
    receiver: wrapReceiver(createRefusingReceiver(receiving)),
    log: { debug: ignore, info: ignore, warn: ignore, error: (event) => void errors.push(event) },
    onIncoming: (change) => {
      incoming.count += change;
    },
  });
  onTestFinished(() => server.close(0));
  const connect = (): Promise<SmtpClient> => connectTo(server.address.port);
  return {
    server,
    port: server.address.port,
    store,
    errors,
    incoming,
    services,
    capture: async () => {
      const { session, token } = await services.createCaptureSession({});
      return { session, token, label: captureLabel(session) ?? '' };
    },
    lend: async (prefix) => (await openLive(store, { address: `${prefix}@${testDomain}` })).session,
    textsOf: (session) => textsOf(store, session),
    attemptsOf: (session) => deliveryLog.listAttempts(session),
    connect,
    greet: async () => {
      const client = await connect();
      await client.readReply();
      await client.command('EHLO client.test');
      return client;
    },
  };
}
