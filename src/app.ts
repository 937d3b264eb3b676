// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { setTimeout as delay } from 'node:timers/promises';

import { createAuthentications } from './app/create-authentications.ts';
import { createGmail, type Gmail, toGmailReceiver } from './app/create-gmail.ts';
import { createLive, type Live } from './app/create-live.ts';
import { collectGmail } from './app/collect-gmail.ts';
import {
  collectParts,
  createAppMetrics,
  observeStore,
  startJobs,
  startVitals,
} from './app/create-metrics.ts';
import { createLoneOperator, createOperating, type Operating } from './app/create-operating.ts';
import { isShared, openStore } from './app/open-store.ts';
import { readiness } from './app/readiness.ts';
import { startAdmin } from './app/start-admin.ts';
import { readDescriptorLimit, shareDescriptors, type Wanted } from './app/share-descriptors.ts';
import { starting } from './app/start-error.ts';
import { startHttp } from './app/start-http.ts';
import { smtpHostname, startSmtp } from './app/start-smtp.ts';
import { withTraces } from './app/start-traces.ts';
import { describeStoreFault } from './app/store-fault.ts';
import type { ControlRequest, ControlResponse } from './cli/control-protocol.ts';
import { type ControlServer, createControlServer } from './cli/control-server.ts';
import { executeControl } from './cli/execute-control.ts';
import type { InheritedSockets } from './config/inherited-sockets.ts';
import type { Config } from './config/settings.ts';
import type { Role } from './config/store-settings.ts';
import type { SessionKey } from './domain/session.ts';
import type { HttpServerOptions } from './http/http-server-options.ts';
import { createMessageParser, type MessageParser } from './reading/message-parser.ts';
import { createHtmlSanitiser, type HtmlSanitiser } from './reading/html-sanitiser.ts';
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
import type { StoreObserver } from './store/store-observer.ts';
import type { Stores } from './store/stores.ts';
import { version } from './config/version.ts';

/** Domain of the first start, when the operator named none: the first command gives a service that receives mail. */
const demoDomain = 'mayfly.test';
/** How long what was made of mail is kept unused where another node may end its session unheard; gone within a minute. */
const unheardMs = 50_000;
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
  readonly worker?: { readonly place: number };
  /** As the operator may look at them. */
  readonly settings?: readonly SettingInForce[];
  /** Made anew where none are given. */
  readonly metrics?: Metrics;
  /** Listening sockets to take over, by descriptor. */
  readonly sockets?: InheritedSockets;
}

interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

export interface RunningApp {
  /** Undefined where the node has not that role. */
  readonly http: ListeningAt | undefined;
  readonly smtp: ListeningAt | undefined;
  /** Undefined also where the operator's listener is off. */
  readonly admin: ListeningAt | undefined;
  /** Stops in order: no new work, work under way finishes, then the store. */
  close(): Promise<void>;
}

interface LiveStore extends Stores {
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
  const metrics = await withTraces(options.metrics ?? createAppMetrics(version), config, log);
  const store = await openLiveStore(options, observeStore(metrics, log));
  await store.accounts.checkSecrets();
  await starting('The first domains cannot be added', addFirstDomains(store, config));
  const readers = createReaders(config, store, { metrics, log });
  const deps = createServiceDeps(config, store, { ...readers, log });
  const jobs = has('jobs') ? startJobs(store, metrics, log) : undefined;
  const vitals = await startVitals(config, metrics, log);
  const gmail = store.accounts.control;
  const operating = await createOperating({ config, store, gmail, settings: options.settings ?? [], log });
  let isStopping = false;
  const health = { isReady: () => readiness({ isStopping, vitals, store }) };
  const listeners = await startListeners(options, {
    ...{ has, store, deps, vitals, operating, health, metrics },
  });
  if (has('jobs')) store.live.startWebhooks({ jobs: store.jobs, deps, log, metrics });
  if (has('gmail')) {
    store.accounts.startPollers({ receive: toGmailReceiver(deps, operating.blocks, metrics), log });
  }
  const isReady = (): boolean => health.isReady().ready;
  collectParts(metrics, { store, vitals, readers: store.live.readers, isReady });
  collectGmail(metrics, { gmail: store.gmail, isReachable: () => store.isReachable() });
  const { http, smtp, admin } = listeners;
  return {
    http: http?.address(),
    smtp: smtp?.address,
    admin: admin?.address(),
    close: async () => {
      isStopping = true;
      // Streams and waits first: nothing else would end them, and their clients come back elsewhere.
      await Promise.all([store.live.close(), closeListeners(listeners), store.accounts.close()]);
      vitals.close();
      await jobs?.close();
      const { parser, sanitiser, authentications, glances } = readers;
      await Promise.all([parser.close(), sanitiser.close(), authentications.close(), glances.close()]);
      await operating.close();
      await Promise.all([store.close(), metrics.traces?.close()]);
    },
  };
}

interface ListenerParts {
  readonly has: (role: Role) => boolean;
  readonly store: LiveStore;
  readonly deps: ServiceDeps;
  readonly vitals: Vitals;
  readonly operating: Operating;
  readonly health: HttpServerOptions['health'];
  readonly metrics: Metrics;
}

type Listeners = Awaited<ReturnType<typeof startListeners>>;

/** Of several processes over one folder the first alone has the control socket; each has an operator's listener. */
async function startListeners({ config, log, sockets = {}, worker }: AppOptions, parts: ListenerParts) {
  const { has, store, deps, vitals, operating, health, metrics } = parts;
  const operator = { ...operating.operator, copy: store.copy };
  const place = worker?.place ?? 0;
  const control =
    place === 0
      ? await starting('The control socket cannot be opened', startControl(config, operator, log))
      : undefined;
  const { access, blocks, lastMail } = operating;
  const wanted = wantedConnections(config, has);
  const descriptors = readDescriptorLimit();
  const connections = shareDescriptors(wanted, descriptors);
  const smtpParts = {
    ...{ config, deps, log, incoming: store.incoming, vitals, blocks, lastMail, metrics },
    connectionsMax: connections.smtp,
  };
  const smtp = has('smtp')
    ? await starting('SMTP cannot listen', startSmtp({ ...smtpParts, socket: sockets.smtp }))
    : undefined;
  const httpParts = {
    ...{ config, deps, log, health, access, metrics, socket: sockets.http },
    connectionsMax: connections.http,
  };
  const http = has('http') ? await startHttp(httpParts) : undefined;
  const admin = await starting(
    'The operator’s listener cannot listen',
    startAdmin({ config, operating, log, health, metrics, place }),
  );
  // Not before it listens: a start that is refused says why, in one line and no more.
  if (connections.http < wanted.http || connections.smtp < wanted.smtp) {
    const { http: httpConnections, smtp: smtpConnections } = connections;
    log.info('descriptors.few', { limit: descriptors, httpConnections, smtpConnections });
  }
  return { control, smtp, http, admin };
}

function wantedConnections(config: Config, has: (role: Role) => boolean): Wanted {
  return {
    http: has('http') ? config.http.connectionsMax : 0,
    smtp: has('smtp') ? config.smtp.connectionsMax : 0,
  };
}

async function closeListeners({ control, smtp, http, admin }: Listeners): Promise<void> {
  await Promise.all([
    Promise.race([http?.close(), delay(httpGraceMs, undefined, { ref: false })]),
    smtp?.close(smtpGraceMs),
    control?.close(),
    Promise.race([admin?.close(), delay(httpGraceMs, undefined, { ref: false })]),
  ]);
}

/** Runs one operator command on a data folder that no service owns. @throws StartError */
export async function executeAlone(options: AppOptions, request: ControlRequest): Promise<ControlResponse> {
  const store = await openLiveStore(options);
  try {
    const { config, log, settings = [] } = options;
    const gmail = store.accounts.control;
    const operator = createLoneOperator({ config, store, gmail, settings, log });
    return await executeControl({ ...operator, copy: store.copy }, request);
  } finally {
    await store.close();
  }
}

async function openLiveStore(
  { config, log, onBroken, worker }: AppOptions,
  observer?: StoreObserver,
): Promise<LiveStore> {
  const incoming = { count: 0 };
  const live = createLive(config);
  const caches = createSessionCaches(isShared(config) ? { maxIdleMs: unheardMs } : {});
  let announce: (key: SessionKey) => void = () => undefined;
  const store = await openStore({
    ...{ config, log, onBroken, isFolderLocked: worker !== undefined },
    onNews: (key) => {
      live.onNews(key);
      announce(key);
    },
    onEnded: caches.forget,
    writesExpected: () => incoming.count,
    observer,
  });
  const accounts = await createAccounts(config, store);
  const channel = store.shared?.createWakeChannel({
    onWake: (key) => {
      // It may have ended there.
      caches.forget(key);
      live.onNews(key);
    },
    onGap: () => {
      caches.forgetAll();
      live.onGap();
    },
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

async function createAccounts(config: Config, store: Stores): Promise<Gmail> {
  try {
    return createGmail(config, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function addFirstDomains({ directory }: Stores, config: Config): Promise<void> {
  if (await directory.hasEverHadDomain()) return;
  const names = config.general.domains.length > 0 ? config.general.domains : [demoDomain];
  for (const name of names) {
    await addDomain(directory, { name, defaultQuarantineMs: config.session.quarantineSeconds * 1000 });
  }
}

function createReaders(
  config: Config,
  store: LiveStore,
  { metrics, log }: { metrics: Metrics; log: Logger },
) {
  const parser = createParser(config, log, metrics);
  return {
    parser,
    sanitiser: createSanitiser(log),
    authentications: createAuthentications(config, store.mail, log),
    glances: createGlances(store, parser, log),
  };
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
    shares: store.shares,
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

function startControl(
  { general }: Config,
  deps: Parameters<typeof executeControl>[0],
  log: Logger,
): Promise<ControlServer> {
  const execute = (request: ControlRequest): Promise<ControlResponse> => executeControl(deps, request);
  return createControlServer({ dataDir: general.dataDir, execute, log });
}
