// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createAuthentications } from './app/create-authentications.ts';
import { createGmail, type Gmail } from './app/create-gmail.ts';
import { createLive, type Live } from './app/create-live.ts';
import { createSharedJobs } from './app/create-shared-jobs.ts';
import { openStore, type Store } from './app/open-store.ts';
import { starting } from './app/start-error.ts';
import { smtpHostname, startSmtp } from './app/start-smtp.ts';
import { describeStoreFault } from './app/store-fault.ts';
import type { ControlRequest, ControlResponse } from './cli/control-protocol.ts';
import { type ControlServer, createControlServer } from './cli/control-server.ts';
import { executeControl } from './cli/execute-control.ts';
import type { Config } from './config/settings.ts';
import type { Role } from './config/store-settings.ts';
import type { SessionKey } from './domain/session.ts';
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
  /** One of several that share the data folder, which the process that started them holds. */
  readonly worker?: { readonly isFirst: boolean };
}

interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

export interface RunningApp {
  /** Undefined where the node has not that role. */
  readonly http: ListeningAt | undefined;
  readonly smtp: ListeningAt | undefined;
  /** Stops in order: no new work, work under way finishes, then the store. */
  close(): Promise<void>;
}

interface LiveStore extends Store {
  readonly live: Live;
  readonly accounts: Gmail;
  /** Empties itself of sessions that end. */
  readonly caches: SessionCaches;
  /** Deliveries under way that have not reached the store: its group commit waits a moment for them. */
  readonly incoming: { count: number };
}

/** Opens the data folder and runs everything on it. @throws StartError */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log } = options;
  const has = (role: Role): boolean => config.general.roles.includes(role);
  const store = await openLiveStore(options);
  await store.accounts.checkSecrets();
  await starting('The first domains cannot be added', addFirstDomains(store, config));
  const parser = createParser(config, log);
  const sanitiser = createSanitiser(log);
  const authentications = createAuthentications(config, store.mail, log);
  const glances = createGlances(store, parser, log);
  const deps = createServiceDeps(config, store, { parser, glances, sanitiser, authentications, log });
  const jobs = has('jobs') ? startJobs(store, log) : undefined;
  const { dataDir, diskFloorBytes } = config.general;
  const vitals = await createVitals({ dataDir, diskFloorBytes, log });
  let isStopping = false;
  const control =
    options.worker?.isFirst === false
      ? undefined
      : await starting('The control socket cannot be opened', startControl(config, store, log));
  const { incoming } = store;
  const smtp = has('smtp')
    ? await starting('SMTP cannot listen', startSmtp({ config, deps, log, incoming, vitals }))
    : undefined;
  const health = { isReady: () => readiness(isStopping, vitals, store) };
  const http = has('http') ? await startWeb({ config, deps, log, health }) : undefined;
  if (has('jobs')) store.live.startWebhooks({ jobs: store.jobs, deps, log });
  if (has('gmail')) store.accounts.startPollers({ receive: deps, log });
  return {
    http: http?.address(),
    smtp: smtp?.address,
    close: async () => {
      isStopping = true;
      // Streams and waits first: nothing else would end them, and their clients come back elsewhere.
      await Promise.all([
        store.live.close(),
        Promise.race([http?.close(), delay(httpGraceMs, undefined, { ref: false })]),
        smtp?.close(smtpGraceMs),
        control?.close(),
        store.accounts.close(),
      ]);
      vitals.close();
      await jobs?.close();
      await Promise.all([parser.close(), sanitiser.close(), authentications.close(), glances.close()]);
      await store.close();
    },
  };
}

/** Runs one operator command on a data folder that no service owns. @throws StartError */
export async function executeAlone(options: AppOptions, request: ControlRequest): Promise<ControlResponse> {
  const store = await openLiveStore(options);
  try {
    return await executeControl(controlDeps(options.config, store), request);
  } finally {
    await store.close();
  }
}

async function openLiveStore({ config, log, onBroken, worker }: AppOptions): Promise<LiveStore> {
  const incoming = { count: 0 };
  const live = createLive(config);
  const caches = createSessionCaches();
  let announce: (key: SessionKey) => void = () => undefined;
  const store = await openStore({
    ...{ config, log, onBroken, isFolderLocked: worker !== undefined },
    onNews: (key) => {
      live.onNews(key);
      announce(key);
    },
    onEnded: caches.forget,
    writesExpected: () => incoming.count,
  });
  const accounts = await createAccounts(config, store);
  const channel = store.shared?.createWakeChannel({
    onWake: (key) => {
      // It may have ended there.
      caches.forget(key);
      live.onNews(key);
    },
    onGap: live.onGap,
    onError: (error) => {
      log.warn('news.interrupted', { reason: describeStoreFault(error) });
    },
  });
  if (channel) {
    announce = (key) => {
      channel.announce(key);
    };
  }
  return {
    ...store,
    live,
    accounts,
    caches,
    incoming,
    close: async () => {
      await channel?.close();
      await store.close();
    },
  };
}

async function createAccounts(config: Config, store: Store): Promise<Gmail> {
  try {
    return createGmail(config, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What runs in the background, whoever asks. */
function startJobs({ mail, shared }: LiveStore, log: Logger): { close(): Promise<void> } {
  const onError = (error: unknown): void => {
    log.error('sweep.failed', { error });
  };
  return shared ? createSharedJobs({ mail, shared, onError }) : createSweeper({ mail, onError });
}

async function addFirstDomains({ directory }: Store, config: Config): Promise<void> {
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

function createGlances({ mail }: LiveStore, parser: MessageParser, log: Logger): MessageGlances {
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

function createServiceDeps(config: Config, store: LiveStore, readers: Readers): ServiceDeps {
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
    operatorMailbox: store.operatorMailbox,
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
  { directory, jobs, accounts }: LiveStore,
): Parameters<typeof executeControl>[0] {
  const defaultQuarantineMs = config.session.quarantineSeconds * 1000;
  return { directory, jobs, defaultQuarantineMs, gmail: accounts.control };
}

function startControl(config: Config, store: LiveStore, log: Logger): Promise<ControlServer> {
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

async function startWeb(parts: Omit<HttpParts, 'webApp'>): Promise<HttpServer> {
  const webApp = await starting('The page cannot be read', readWebApp(parts.config));
  return starting('HTTP cannot listen', startHttp({ ...parts, webApp }));
}

/** The build puts the page beside this file. */
async function readWebApp({ http: { webApp, publicUrl } }: Config): Promise<WebApp | null> {
  return webApp === 'on' ? loadWebApp(join(import.meta.dirname, 'web'), publicUrl) : null;
}

function readiness(
  isStopping: boolean,
  vitals: Vitals,
  store: Store,
): ReturnType<HttpServerOptions['health']['isReady']> {
  if (isStopping) return { ready: false, reason: 'shutting down' };
  if (!store.isReachable()) return { ready: false, reason: 'the database does not answer' };
  if (vitals.isDiskLow()) return { ready: false, reason: 'the disk is nearly full: no mail is taken' };
  return { ready: true };
}
