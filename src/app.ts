// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { availableParallelism } from 'node:os';

import type { LogFeed } from '#telemetry/log-feed';
import { bindServices } from './app/bind-services.ts';
import { claimServerKey } from './app/claim-server-key.ts';
import { collectGmail } from './app/collect-gmail.ts';
import { collectToday } from './app/collect-today.ts';
import { collectParts, observeStore, startJobs, startVitals } from './app/create-metrics.ts';
import { createLoneOperator, createOperating } from './app/create-operating.ts';
import { createReaders } from './app/create-readers.ts';
import { openCertificates } from './app/certificates/open-certificates.ts';
import type { DevParts } from './app/create-standing.ts';
import { type InboxCount, listUnread } from './app/list-unread.ts';
import { addFirstDomains, type LiveStoreOptions, openLiveStore } from './app/open-live-store.ts';
import { readiness } from './app/readiness.ts';
import { starting } from './app/start-error.ts';
import { startListeners } from './app/listeners/start-listeners.ts';
import { withTraces } from './app/start-traces.ts';
import type { InheritedSockets } from '#config/inherited-sockets';
import type { Role } from '#config/store-settings';
import { version } from './app/version.ts';
import type { Metrics } from './observe/metrics.ts';
import { noObserver } from './store/store-observer.ts';
import type { OperatorContext } from './operator/command.ts';
import { createServiceTurns } from './service/session/service-turns.ts';
import { expectMailOfLive } from './service/session/expect-reads.ts';
import type { SettingInForce } from './service/operating/operator-deps.ts';

export interface AppOptions extends LiveStoreOptions {
  /** As shown to the operator. */
  readonly settings: readonly SettingInForce[];
  readonly metrics: Metrics;
  /** The lines of the log that the operator's page shows. */
  readonly logFeed: LogFeed;
  /** Listening sockets to take over, by descriptor. */
  readonly sockets?: InheritedSockets;
  /** Makes it a developer's service: dialects, page and interface on one listener, all mail accepted. */
  readonly dev?: DevParts;
}

interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

export interface RunningApp {
  /** Undefined where the node does not have that role. */
  readonly http: ListeningAt | undefined;
  readonly smtp: ListeningAt | undefined;
  /** Also undefined where the operator's listener is off. */
  readonly admin: ListeningAt | undefined;
  /** The listener for dialects; also undefined where it is off. */
  readonly compat: ListeningAt | undefined;
  /** The listener for plain HTTP beside HTTPS; also undefined where it is off. */
  readonly redirect: ListeningAt | undefined;
  /** Counts the messages of live sessions that nothing has read. */
  listUnread(): Promise<readonly InboxCount[]>;
  /** Returns the token of an inbox of `mayfly dev` by its name; undefined elsewhere. */
  tokenOf(name: string): Promise<string> | undefined;
  /** Stops in order: no new work, work under way finishes, then the store. */
  close(): Promise<void>;
}

/** Opens the data folder and runs everything on it. @throws StartError */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log, settings, syncing, sockets = {}, worker } = options;
  const has = (role: Role): boolean => config.general.roles.includes(role);
  const metrics = await withTraces(options.metrics, config, log);
  const store = await openLiveStore(options, observeStore(metrics, log));
  const { live, accounts } = store;
  const gmail = accounts.control;
  await accounts.checkSecrets();
  const serverKey = await starting('server.key cannot be used', claimServerKey(store, config, syncing));
  await starting('The first domains cannot be added', addFirstDomains(store, config));
  // libuv has four threads, which file operations and the store's syncs need too.
  const turns = createServiceTurns(availableParallelism() > 2 ? 2 : 1);
  const readers = createReaders({ config, mail: store.mail, turns, now: store.now, metrics, log });
  if (has('http')) await expectMailOfLive({ ...readers, now: store.now }, store.finder);
  const jobs = has('jobs') ? startJobs(store, metrics, log) : undefined;
  const vitals = await startVitals(config, metrics, log);
  const place = worker?.place ?? 0;
  const certificates = await openCertificates({ config, store, log, metrics });
  const own = { config, store, gmail, settings, log, metrics, place };
  const operating = await createOperating({ ...own, presented: certificates });
  const { blocks, lastMail, wrongCredentials, deliveries, earlyRefusals } = operating;
  const bound = bindServices({
    config,
    store,
    readers,
    turns,
    blocks,
    lastMail,
    wrongCredentials,
    deliveries,
    earlyRefusals,
    metrics,
    log,
    serverKey,
    dev: options.dev,
  });
  operating.use(bound);
  let isStopping = false;
  const health = { isReady: () => readiness({ isStopping, vitals, store }) };
  const listeners = await startListeners({
    config,
    log,
    metrics,
    has,
    store,
    ...bound,
    vitals,
    operating,
    health,
    sockets,
    certificates,
    serverKey,
    logFeed: options.logFeed,
    place,
  });
  certificates.start();
  if (has('jobs')) {
    live.startWebhooks({ ...bound, jobs: store.jobs, now: store.now, serverKey, log, metrics });
  }
  if (has('gmail')) accounts.startPollers({ receiver: bound.receiving, traces: metrics.traces, log });
  const isReady = (): boolean => health.isReady().ready;
  collectParts(metrics, { store, vitals, readers: live.readers, isReady });
  collectToday(metrics, { ...operating.operator, isReady });
  collectGmail(metrics, { ...store, isReachable: () => store.isReachable() });
  return {
    http: listeners.http?.address(),
    smtp: listeners.smtp?.address,
    admin: listeners.admin?.address(),
    compat: listeners.compat?.address(),
    redirect: listeners.redirect?.address,
    listUnread: () =>
      listUnread({
        ...store,
        isShared: (key) => bound.standing?.dev?.sharedInbox.has(key) ?? false,
      }),
    tokenOf: (name) => bound.standing?.dev?.tokenOf(name),
    close: async () => {
      isStopping = true;
      // Streams and waits first: nothing else would end them, and their clients reconnect elsewhere.
      await Promise.all([live.close(), listeners.close(), accounts.close(), certificates.close()]);
      await Promise.all([bound.push?.sender.close(), bound.contents?.close()]);
      vitals.close();
      await jobs?.close();
      await readers.close();
      await operating.close();
      await Promise.all([store.close(), metrics.traces?.close()]);
    },
  };
}

/** Runs an operator's command on a data folder that no service owns. @throws StartError */
export async function workAlone<A>(
  options: LiveStoreOptions & Pick<AppOptions, 'settings'>,
  work: (context: OperatorContext) => Promise<A>,
): Promise<A> {
  const store = await openLiveStore(options, noObserver);
  try {
    const { config, log, settings } = options;
    const gmail = store.accounts.control;
    const operator = await createLoneOperator({ config, store, gmail, settings, log });
    return await work({ operator, health: { isReady: () => ({ ready: true }) }, version });
  } finally {
    await store.close();
  }
}
