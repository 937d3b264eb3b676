// The composition root: builds every part, hands each its slice of the configuration, starts and stops them in order.
// Called by main.ts and by tests; nothing else knows all the parts.

import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ControlRequest, ControlResponse } from './cli/control-protocol.ts';
import { type ControlServer, createControlServer } from './cli/control-server.ts';
import { executeControl } from './cli/execute-control.ts';
import type { Config } from './config/settings.ts';
import { createHttpServer, type HttpServer } from './http/create-http-server.ts';
import { createMessageParser, type MessageParser } from './mime/message-parser.ts';
import { createHtmlSanitiser, type HtmlSanitiser } from './mime/sanitise/html-sanitiser.ts';
import type { Logger } from './observe/logger.ts';
import { createVitals, type Vitals } from './observe/vitals.ts';
import { LruCache } from './service/lru-cache.ts';
import { addDomain } from './service/manage-domains.ts';
import { createMessageGlances } from './service/message-glances.ts';
import { receiveMessage } from './service/receive-message.ts';
import { resolveRecipient } from './service/resolve-recipient.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { createSweeper } from './service/sweep-expired.ts';
import { ScratchFile } from './secrets/scratch-file.ts';
import { ensureSelfSigned, openTlsCertificate, type TlsCertificate } from './secrets/tls-certificate.ts';
import { createSmtpServer, type SmtpServer, type SmtpServerSettings } from './smtp/smtp-server.ts';
import { acquireDataFolderLock, type DataFolderLock } from './store/sqlite/data-folder-lock.ts';
import { openSqliteStore, type SqliteStore } from './store/sqlite/open-sqlite-store.ts';
import { version } from './version.ts';

/** Domain of the first start, when the operator named none: the first command gives a service that receives mail. */
const demoDomain = 'mayfly.test';
const httpGraceMs = 10_000;
const smtpGraceMs = 30_000;
/** Beyond this a message on its way in goes to a scratch file; 75 KB mail stays in memory. */
const spillAfterBytes = 128 * 1024;
const listCacheMessages = 20_000;
const parsedCacheBytes = 32 * 1024 * 1024;
const safeHtmlCacheBytes = 32 * 1024 * 1024;

/** Why the service cannot start, in one line for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

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
  /** Deliveries under way that have not reached the store: its group commit waits a moment for them. */
  readonly incoming: { count: number };
  close(): Promise<void>;
}

/** Opens the data folder and runs everything on it. @throws StartError */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log } = options;
  const store = openStore(options);
  await addFirstDomains(store, config);
  const parser = createParser(config, log);
  const sanitiser = createSanitiser(log);
  const deps = createServiceDeps(config, store, { parser, sanitiser });
  const sweeper = createSweeper({
    mail: store.mail,
    onError: (error) => {
      log.error('sweep.failed', { error });
    },
  });
  const { dataDir, diskFloorBytes } = config.general;
  const vitals = await createVitals({ dataDir, diskFloorBytes, log });
  let isStopping = false;
  const control = await startControl(config, store, log);
  const smtp = await startSmtp({ config, deps, log, incoming: store.incoming, vitals });
  const http = await startHttp({ config, deps, log, isStopping: () => isStopping });
  return {
    http: http.address(),
    smtp: smtp.address,
    close: async () => {
      isStopping = true;
      await Promise.all([
        Promise.race([http.close(), delay(httpGraceMs, undefined, { ref: false })]),
        smtp.close(smtpGraceMs),
        control.close(),
      ]);
      vitals.close();
      await sweeper.close();
      await Promise.all([parser.close(), sanitiser.close()]);
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
    const store = openSqliteStore({ file, quota, onBroken, writesExpected: () => incoming.count });
    return {
      ...store,
      incoming,
      close: async () => {
        await store.mail.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
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

interface Readers {
  readonly parser: MessageParser;
  readonly sanitiser: HtmlSanitiser;
}

function createServiceDeps(config: Config, store: SqliteStore, { parser, sanitiser }: Readers): ServiceDeps {
  return {
    mail: store.mail,
    directory: store.directory,
    limits: { ...config.session, ...config.limits },
    parser,
    glances: createMessageGlances(store.mail, parser),
    lists: new LruCache(listCacheMessages),
    parsedMessages: new LruCache(parsedCacheBytes),
    sanitiser,
    safeHtml: new LruCache(safeHtmlCacheBytes),
    hostname: smtpHostname(config),
  };
}

function smtpHostname({ smtp }: Config): string {
  return smtp.hostname === '' ? hostname() : smtp.hostname;
}

function controlDeps(config: Config, { directory }: SqliteStore): Parameters<typeof executeControl>[0] {
  return { directory, defaultQuarantineMs: config.session.quarantineSeconds * 1000 };
}

function startControl(config: Config, store: SqliteStore, log: Logger): Promise<ControlServer> {
  const deps = controlDeps(config, store);
  const execute = (request: ControlRequest): Promise<ControlResponse> => executeControl(deps, request);
  return createControlServer({ dataDir: config.general.dataDir, execute, log });
}

type RateName = 'connectionsPerAddressMax' | 'connectsPerMinute' | 'messagesPerMinute';

interface SmtpParts {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly log: Logger;
  readonly incoming: { count: number };
  readonly vitals: Vitals;
}

async function startSmtp({ config, deps, log, incoming, vitals }: SmtpParts): Promise<SmtpServer> {
  const { dataDir } = config.general;
  return createSmtpServer({
    settings: { ...config.smtp, ...ratesOf(config), hostname: smtpHostname(config) },
    vitals,
    spill: { afterBytes: spillAfterBytes, open: () => new ScratchFile(dataDir) },
    tls: await openTls(config, log),
    receiver: {
      resolveRecipient: (address) => resolveRecipient(deps, address),
      receiveMessage: (message, sessions) => receiveMessage(deps, message, sessions),
    },
    log,
    onIncoming: (change) => {
      incoming.count += change;
    },
  });
}

/** What `MAYFLY_LIMITS_RATE=off` lifts. */
function ratesOf({ limits, smtp }: Config): Pick<SmtpServerSettings, RateName> {
  const { connectionsPerAddressMax, connectsPerMinute, messagesPerMinute } = smtp;
  return limits.rate === 'on'
    ? { connectionsPerAddressMax, connectsPerMinute, messagesPerMinute }
    : { connectionsPerAddressMax: Infinity, connectsPerMinute: Infinity, messagesPerMinute: Infinity };
}

async function openTls(config: Config, log: Logger): Promise<TlsCertificate | undefined> {
  const { tls, tlsCertFile: certFile, tlsKeyFile: keyFile } = config.smtp;
  if (tls === 'off') return undefined;
  const isOwn = certFile !== '' && keyFile !== '';
  const files = isOwn
    ? { certFile, keyFile }
    : await ensureSelfSigned(config.general.dataDir, smtpHostname(config));
  try {
    return openTlsCertificate({
      files,
      onReloadFailed: (error) => {
        log.error('smtp.certificate_not_reloaded', { error });
      },
    });
  } catch (error) {
    throw new StartError(`The certificate ${files.certFile} cannot be used: ${(error as Error).message}`);
  }
}

interface HttpParts {
  readonly config: Config;
  readonly deps: ServiceDeps;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

function startHttp({ config, deps, log, isStopping }: HttpParts): Promise<HttpServer> {
  return createHttpServer({
    deps,
    settings: config.http,
    log,
    health: { isReady: () => (isStopping() ? { ready: false, reason: 'shutting down' } : { ready: true }) },
    version,
  });
}
