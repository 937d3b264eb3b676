// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createAuthentications } from './app/create-authentications.ts';
import { createGmail, type Gmail } from './app/create-gmail.ts';
import { createLive, type Live, toOutboxSettings } from './app/create-live.ts';
import { createLoneOperator, createOperating } from './app/create-operating.ts';
import {
  collectParts,
  createAppMetrics,
  observeStore,
  startSweeper,
  startVitals,
} from './app/create-metrics.ts';
import { startAdmin } from './app/start-admin.ts';
import { StartError, starting } from './app/start-error.ts';
import { smtpHostname, startSmtp } from './app/start-smtp.ts';
import type { ControlRequest, ControlResponse } from './cli/control-protocol.ts';
import { type ControlServer, createControlServer } from './cli/control-server.ts';
import { executeControl } from './cli/execute-control.ts';
import type { InheritedSockets } from './config/inherited-sockets.ts';
import { ConfigError } from './config/load-config.ts';
import type { Config } from './config/settings.ts';
import type { Access } from './http/access/access.ts';
import { createHttpServer, type HttpServer } from './http/create-http-server.ts';
import type { HttpServerOptions } from './http/http-server-options.ts';
import { loadWebApp, type WebApp } from './http/web-app/load-web-app.ts';
import { createMessageParser, type MessageParser } from './mime/message-parser.ts';
import { createHtmlSanitiser, type HtmlSanitiser } from './mime/sanitise/html-sanitiser.ts';
import { createSafeFetch, type SafeFetchOptions } from './net/safe-fetch.ts';
import { createEventCount } from './observe/event-count.ts';
import type { Logger } from './observe/logger.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Vitals } from './observe/vitals.ts';
import { createDeliveryLog } from './service/delivery-log.ts';
import { addDomain } from './service/manage-domains.ts';
import type { MessageAuthentications } from './service/message-authentications.ts';
import { createMessageGlances, type MessageGlances } from './service/message-glances.ts';
import { createRemoteImageFetcher } from './service/remote-image-fetcher.ts';
import type { SettingInForce } from './service/operator-deps.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createSessionCaches, type SessionCaches } from './service/session-caches.ts';
import { openMaildir } from './store/maildir.ts';
import { acquireDataFolderLock, type DataFolderLock } from './store/sqlite/data-folder-lock.ts';
import { openSqliteStore, type SqliteStore } from './store/sqlite/open-sqlite-store.ts';
import type { StoreObserver } from './store/store-observer.ts';
import { version } from './config/version.ts';

/** Domain of the first start, when the operator named none: the first command gives a service that receives mail. */
const demoDomain = 'mayfly.test';
const httpGraceMs = 10_000;
const smtpGraceMs = 30_000;
/** A commit takes milliseconds; one that waits so long is held up by something. */
const stuckCommitMs = 5000;
/** Of remote images, where the operator lets the service fetch them. */
const imageFetch: SafeFetchOptions = {
  schemes: ['https', 'http'],
  ports: [80, 443],
  allow: [],
  answerMaxBytes: 5 * 1024 * 1024,
};

export interface AppOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The store can no longer be written: the process has to end, without a retry. */
  readonly onBroken: (error: Error) => void;
  /** As the operator may look at them. */
  readonly settings?: readonly SettingInForce[];
  /** Made anew where none are given. */
  readonly metrics?: Metrics;
  /** Listening sockets to take over, by descriptor. */
  readonly sockets?: InheritedSockets;
}

export interface RunningApp {
  readonly http: { readonly host: string; readonly port: number };
  readonly smtp: { readonly host: string; readonly port: number };
  /** Undefined where the operator's listener is off. */
  readonly admin: { readonly host: string; readonly port: number } | undefined;
  /** Stops in order: no new work, work under way finishes, then the store. */
  close(): Promise<void>;
}

interface OpenStore extends SqliteStore {
  readonly live: Live;
  readonly accounts: Gmail;
  /** Empties itself of sessions that end. */
  readonly caches: SessionCaches;
  /** Deliveries under way that have not reached the store: its group commit waits a moment for them. */
  readonly incoming: { count: number };
  close(): Promise<void>;
}

/** Opens the data folder and runs everything on it. @throws StartError */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log, sockets = {} } = options;
  const metrics = options.metrics ?? createAppMetrics(version);
  const store = openStore(options, observeStore(metrics, log));
  await store.accounts.checkSecrets();
  await starting('The first domains cannot be added', addFirstDomains(store, config));
  const parser = createParser(config, log, metrics);
  const sanitiser = createSanitiser(log);
  const authentications = createAuthentications(config, store.mail, log);
  const glances = createGlances(store, parser, log);
  const deps = createServiceDeps(config, store, { parser, glances, sanitiser, authentications, log });
  const sweeper = startSweeper(store.mail, metrics, log);
  const vitals = await startVitals(config, metrics, log);
  let isStopping = false;
  const operating = await createOperating({ config, store, settings: options.settings ?? [], log });
  const control = await starting(
    'The control socket cannot be opened',
    startControl(config, { ...operating.operator, copy: store.copy, gmail: store.accounts.control }, log),
  );
  const { incoming } = store;
  const { access, blocks, lastMail } = operating;
  const smtpParts = { config, deps, log, incoming, vitals, blocks, lastMail, metrics, socket: sockets.smtp };
  const smtp = await starting('SMTP cannot listen', startSmtp(smtpParts));
  const health = { isReady: () => readiness({ isStopping, vitals, store }) };
  const webApp = await starting('The page cannot be read', readWebApp(config));
  const httpParts = { config, deps, log, health, access, webApp, metrics, socket: sockets.http };
  const http = await starting('HTTP cannot listen', startHttp(httpParts));
  const admin = await starting(
    'The operator’s listener cannot listen',
    startAdmin({ config, operating, log, health, metrics }),
  );
  store.live.startWebhooks({ jobs: store.jobs, deps, log, metrics });
  store.accounts.startPollers({ receive: deps, log });
  const isReady = (): boolean => health.isReady().ready;
  collectParts(metrics, { store, vitals, readers: store.live.readers, isReady });
  return {
    http: http.address(),
    smtp: smtp.address,
    admin: admin?.address(),
    close: async () => {
      isStopping = true;
      // Streams and waits first: nothing else would end them, and their clients come back elsewhere.
      await Promise.all([
        store.live.close(),
        Promise.race([http.close(), delay(httpGraceMs, undefined, { ref: false })]),
        smtp.close(smtpGraceMs),
        control.close(),
        store.accounts.close(),
        Promise.race([admin?.close(), delay(httpGraceMs, undefined, { ref: false })]),
      ]);
      vitals.close();
      await sweeper.close();
      await Promise.all([parser.close(), sanitiser.close(), authentications.close(), glances.close()]);
      await operating.close();
      await store.close();
    },
  };
}

/** Runs one operator command on a data folder that no service owns. @throws StartError */
export async function executeAlone(options: AppOptions, request: ControlRequest): Promise<ControlResponse> {
  const store = openStore(options);
  try {
    const { config, log, settings = [] } = options;
    const operator = createLoneOperator({ config, store, settings, log });
    return await executeControl({ ...operator, copy: store.copy, gmail: store.accounts.control }, request);
  } finally {
    await store.close();
  }
}

function openStore({ config, onBroken }: AppOptions, observer?: StoreObserver): OpenStore {
  const { dataDir, storeUrl } = config.general;
  const lock = lockDataFolder(dataDir);
  const file = storeUrl === 'sqlite:' ? join(dataDir, 'mayfly.db') : storeUrl.slice('sqlite:'.length);
  try {
    const quota = { messages: config.limits.sessionMessages, bytes: config.limits.sessionBytes };
    const incoming = { count: 0 };
    const live = createLive(config);
    const caches = createSessionCaches();
    const store = openSqliteStore({
      file,
      quota,
      onBroken,
      onNews: live.onNews,
      onEnded: caches.forget,
      outbox: toOutboxSettings(config),
      writesExpected: () => incoming.count,
      ...(observer ? { observer } : {}),
    });
    return {
      ...store,
      live,
      accounts: createGmail(config, store),
      caches,
      incoming,
      close: async () => {
        await store.mail.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    if (error instanceof ConfigError) throw error;
    throw new StartError(`The store ${file} cannot be opened: ${(error as Error).message}`);
  }
}

function lockDataFolder(dataDir: string): DataFolderLock {
  let lock: DataFolderLock | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = acquireDataFolderLock(dataDir);
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  if (lock) return lock;
  throw new StartError(`Another Mayfly runs on the data folder ${dataDir}.`);
}

async function addFirstDomains({ directory }: SqliteStore, config: Config): Promise<void> {
  if (await directory.hasEverHadDomain()) return;
  const names = config.general.domains.length > 0 ? config.general.domains : [demoDomain];
  for (const name of names) {
    await addDomain(directory, { name, defaultQuarantineMs: config.session.quarantineSeconds * 1000 });
  }
}

function createParser({ parse }: Config, log: Logger, metrics: Metrics): MessageParser {
  return createMessageParser({
    timeBudgetMs: parse.timeoutMs,
    workers: parse.workers,
    onFault: (fault) => {
      metrics.parserFaults.of(fault.cause).value += 1;
      log.warn('parse.gave_up', fault);
    },
  });
}

function createSanitiser(log: Logger): HtmlSanitiser {
  return createHtmlSanitiser({
    onFault: (fault) => {
      log.warn('sanitise.gave_up', fault);
    },
  });
}

function createGlances({ mail }: OpenStore, parser: MessageParser, log: Logger): MessageGlances {
  return createMessageGlances({
    mail,
    parser,
    onError: (error) => {
      log.error('glance.not_kept', { error });
    },
  });
}

interface Readers {
  readonly parser: MessageParser;
  readonly glances: MessageGlances;
  readonly sanitiser: HtmlSanitiser;
  readonly authentications: MessageAuthentications;
  readonly log: Logger;
}

function createServiceDeps(config: Config, store: OpenStore, readers: Readers): ServiceDeps {
  const { parser, glances, sanitiser, authentications, log } = readers;
  return {
    mail: store.mail,
    live: store.live.readers,
    webhooks: store.live.sessionWebhooks(store.jobs),
    directory: store.directory,
    gmail: store.gmail,
    masksGmailAccounts: config.gmail.maskAccounts === 'on',
    dotVariantKey: store.accounts.dotVariantKey,
    limits: { ...config.session, ...config.limits },
    parser,
    glances,
    authentications,
    ...store.caches,
    sanitiser,
    remoteImages:
      config.http.imageProxy === 'on' ? createRemoteImageFetcher(createSafeFetch(imageFetch)) : null,
    hostname: smtpHostname(config),
    operatorMailbox: openMaildir({
      folder: join(config.general.dataDir, 'operator'),
      maxMessages: config.limits.operatorMessages,
      maxBytes: config.limits.operatorBytes,
    }),
    onDiscarded: createEventCount(log, 'mail.discarded'),
    deliveryLog: createDeliveryLog({
      mail: store.mail,
      attempts: store.attempts,
      onError: (error) => {
        log.error('delivery_log.not_kept', { error });
      },
    }),
  };
}

function startControl(
  { general }: Config,
  deps: Parameters<typeof executeControl>[0],
  log: Logger,
): Promise<ControlServer> {
  const execute = (request: ControlRequest): Promise<ControlResponse> => executeControl(deps, request);
  return createControlServer({ dataDir: general.dataDir, execute, log });
}

interface HttpParts {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly log: Logger;
  readonly health: HttpServerOptions['health'];
  readonly access: Access;
  readonly webApp: WebApp | null;
  readonly metrics: Metrics;
  readonly socket: number | undefined;
}

function startHttp({ config, socket, ...parts }: HttpParts): Promise<HttpServer> {
  return createHttpServer({ ...parts, settings: { ...config.http, socket }, version });
}

/** The build puts the page beside this file. */
async function readWebApp({ http: { webApp, publicUrl } }: Config): Promise<WebApp | null> {
  return webApp === 'on' ? loadWebApp(join(import.meta.dirname, 'web'), publicUrl) : null;
}

interface ReadinessParts {
  readonly isStopping: boolean;
  readonly vitals: Vitals;
  readonly store: Pick<SqliteStore, 'readFigures'>;
}

function readiness({
  isStopping,
  vitals,
  store,
}: ReadinessParts): ReturnType<HttpServerOptions['health']['isReady']> {
  if (isStopping) return { ready: false, reason: 'shutting down' };
  const reasons = [
    ...(vitals.isDiskLow() ? ['the disk is nearly full: no mail is taken'] : []),
    ...(vitals.isOverloaded() ? ['the event loop is late: new connections are turned away'] : []),
    ...(store.readFigures().longestWaitMs > stuckCommitMs ? ['the store takes no writes'] : []),
  ];
  return reasons.length === 0 ? { ready: true } : { ready: false, reason: reasons.join('; ') };
}
