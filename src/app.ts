// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createAuthentications } from './app/create-authentications.ts';
import { createGmail, type Gmail } from './app/create-gmail.ts';
import { createLive, type Live, toOutboxSettings } from './app/create-live.ts';
import { StartError, starting } from './app/start-error.ts';
import { smtpHostname, startSmtp } from './app/start-smtp.ts';
import type { ControlRequest, ControlResponse } from './cli/control-protocol.ts';
import { type ControlServer, createControlServer } from './cli/control-server.ts';
import { executeControl } from './cli/execute-control.ts';
import { ConfigError } from './config/load-config.ts';
import type { Config } from './config/settings.ts';
import { createHttpServer, type HttpServer } from './http/create-http-server.ts';
import type { HttpServerOptions } from './http/http-server-options.ts';
import { loadWebApp, type WebApp } from './http/web-app/load-web-app.ts';
import { createMessageParser, type MessageParser } from './mime/message-parser.ts';
import { createHtmlSanitiser, type HtmlSanitiser } from './mime/sanitise/html-sanitiser.ts';
import { createSafeFetch, type SafeFetchOptions } from './net/safe-fetch.ts';
import { createEventCount } from './observe/event-count.ts';
import type { Logger } from './observe/logger.ts';
import { createVitals, type Vitals } from './observe/vitals.ts';
import { createDeliveryLog } from './service/delivery-log.ts';
import { addDomain } from './service/manage-domains.ts';
import type { MessageAuthentications } from './service/message-authentications.ts';
import { createMessageGlances, type MessageGlances } from './service/message-glances.ts';
import { createRemoteImageFetcher } from './service/remote-image-fetcher.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createSessionCaches, type SessionCaches } from './service/session-caches.ts';
import { createSweeper } from './service/sweep-expired.ts';
import { openMaildir } from './store/maildir.ts';
import { acquireDataFolderLock, type DataFolderLock } from './store/sqlite/data-folder-lock.ts';
import { openSqliteStore, type SqliteStore } from './store/sqlite/open-sqlite-store.ts';
import { version } from './config/version.ts';

/** Domain of the first start, when the operator named none: the first command gives a service that receives mail. */
const demoDomain = 'mayfly.test';
const httpGraceMs = 10_000;
const smtpGraceMs = 30_000;
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
}

export interface RunningApp {
  readonly http: { readonly host: string; readonly port: number };
  readonly smtp: { readonly host: string; readonly port: number };
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
  const { config, log } = options;
  const store = openStore(options);
  await store.accounts.checkSecrets();
  await starting('The first domains cannot be added', addFirstDomains(store, config));
  const parser = createParser(config, log);
  const sanitiser = createSanitiser(log);
  const authentications = createAuthentications(config, store.mail, log);
  const glances = createGlances(store, parser, log);
  const deps = createServiceDeps(config, store, { parser, glances, sanitiser, authentications, log });
  const sweeper = createSweeper({
    mail: store.mail,
    onError: (error) => {
      log.error('sweep.failed', { error });
    },
  });
  const { dataDir, diskFloorBytes } = config.general;
  const vitals = await createVitals({ dataDir, diskFloorBytes, log });
  let isStopping = false;
  const control = await starting('The control socket cannot be opened', startControl(config, store, log));
  const { incoming } = store;
  const smtp = await starting('SMTP cannot listen', startSmtp({ config, deps, log, incoming, vitals }));
  const health = { isReady: () => readiness(isStopping, vitals) };
  const webApp = await starting('The page cannot be read', readWebApp(config));
  const http = await starting('HTTP cannot listen', startHttp({ config, deps, log, health, webApp }));
  store.live.startWebhooks({ jobs: store.jobs, deps, log });
  store.accounts.startPollers({ receive: deps, log });
  return {
    http: http.address(),
    smtp: smtp.address,
    close: async () => {
      isStopping = true;
      // Streams and waits first: nothing else would end them, and their clients come back elsewhere.
      await Promise.all([
        store.live.close(),
        Promise.race([http.close(), delay(httpGraceMs, undefined, { ref: false })]),
        smtp.close(smtpGraceMs),
        control.close(),
        store.accounts.close(),
      ]);
      vitals.close();
      await sweeper.close();
      await Promise.all([parser.close(), sanitiser.close(), authentications.close(), glances.close()]);
      await store.close();
    },
  };
}

/** Runs one operator command on a data folder that no service owns. @throws StartError */
export async function executeAlone(options: AppOptions, request: ControlRequest): Promise<ControlResponse> {
  const store = openStore(options);
  try {
    return await executeControl(controlDeps(options.config, store), request);
  } finally {
    await store.close();
  }
}

function openStore({ config, onBroken }: AppOptions): OpenStore {
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

function createParser({ parse }: Config, log: Logger): MessageParser {
  return createMessageParser({
    timeBudgetMs: parse.timeoutMs,
    workers: parse.workers,
    onFault: (fault) => {
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

function controlDeps(
  config: Config,
  { directory, jobs, accounts }: OpenStore,
): Parameters<typeof executeControl>[0] {
  const defaultQuarantineMs = config.session.quarantineSeconds * 1000;
  return { directory, jobs, defaultQuarantineMs, gmail: accounts.control };
}

function startControl(config: Config, store: OpenStore, log: Logger): Promise<ControlServer> {
  const deps = controlDeps(config, store);
  const execute = (request: ControlRequest): Promise<ControlResponse> => executeControl(deps, request);
  return createControlServer({ dataDir: config.general.dataDir, execute, log });
}

interface HttpParts {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly log: Logger;
  readonly health: HttpServerOptions['health'];
  readonly webApp: WebApp | null;
}

function startHttp({ config, ...parts }: HttpParts): Promise<HttpServer> {
  return createHttpServer({ ...parts, settings: config.http, version });
}

/** The build puts the page beside this file. */
async function readWebApp({ http: { webApp, publicUrl } }: Config): Promise<WebApp | null> {
  return webApp === 'on' ? loadWebApp(join(import.meta.dirname, 'web'), publicUrl) : null;
}

function readiness(isStopping: boolean, vitals: Vitals): ReturnType<HttpServerOptions['health']['isReady']> {
  if (isStopping) return { ready: false, reason: 'shutting down' };
  if (vitals.isDiskLow()) return { ready: false, reason: 'the disk is nearly full: no mail is taken' };
  return { ready: true };
}
