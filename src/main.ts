// Runs the command in the arguments. The only module that reads process.env or ends the process.

import { join } from 'node:path';

import type { InboxCommand } from '#inbox/commands';
import { createDevFolder } from './app/dev-folder.ts';
import { findOwnPlace, runProcesses, reportReady } from './app/run-processes.ts';
import { lastingStatus, StartError } from './app/start-error.ts';
import { describeStoreFault } from './app/store-fault.ts';
import { type AppOptions, type RunningApp, startApp, workAlone } from './app.ts';
import { callService } from './cli/call-service.ts';
import { formatCompletion } from './cli/completion.ts';
import { describeDev, formatHost } from './cli/dev-text.ts';
import type { DatabaseAccess } from './cli/postgres-copy.ts';
import { isShared } from './app/open-store.ts';
import { formatHelp } from './cli/help.ts';
import { type MailboxAction, runMailbox } from './cli/mailbox-command.ts';
import {
  type Command,
  type Given,
  type OperatorCall,
  parseArguments,
  type ProgramCommand,
} from './cli/parse-arguments.ts';
import { shardsByDefault } from './cli/program-commands.ts';
import { readSecretFiles } from './cli/read-secret-files.ts';
import { UsageError } from './cli/usage-error.ts';
import { readDevSettings } from './config/dev-settings.ts';
import { describeSettings } from './config/settings-in-force.ts';
import { readInheritedSockets } from './config/inherited-sockets.ts';
import { MayflyError } from './domain/mayfly-error.ts';
import type { OperatorCommand } from './operator/command.ts';
import { unreadAnswer } from './operator/operator-socket.ts';
import { copyCommand } from './operator/service.ts';
import { OperatorError } from './service/operating/operator-error.ts';
import { openMaildirLetters } from './store/maildir-letters.ts';
import { ConfigError, findUnknownVariables, loadConfig, refuseMisspelt } from './config/load-config.ts';
import type { Config } from './config/settings.ts';
import { createLogger, type LogStyle } from './observe/create-logger.ts';
import { nameSources } from './observe/source-stack.ts';
import { createAppMetrics } from './app/create-metrics.ts';
import type { Logger } from './observe/logger.ts';
import { version } from './config/version.ts';

/** sysexits.h */
const exitStatus = { failed: 1, usageOfInbox: 2, usage: 64, software: 70, config: lastingStatus } as const;

function endBroken(log: Logger, event: string, error: unknown): never {
  log.error(event, { error });
  process.exit(exitStatus.software);
}

async function serve(processes: number): Promise<void> {
  // Files contain other people's mail, though sealed, so no other user of the machine gets access.
  process.umask(0o077);
  const config = loadConfig(process.env);
  const sockets = readInheritedSockets(process.env, process.pid);
  const parts = observe(config, process.env);
  const { log } = parts;
  const worker = await findOwnPlace();
  if (!worker && processes > 1) {
    const onReady = (text: string): void => void process.stdout.write(text);
    process.exit(await runProcesses({ config, log, count: processes, onReady }));
  }
  const app = await startApp({ ...parts, config, sockets, ...(worker ? { worker } : {}) });
  stopOnSignal(app, log);
  const ready = `${describeReady(app, config)}\n`;
  if (worker) reportReady(ready);
  else process.stdout.write(ready);
}

interface ObservedParts extends Required<Pick<AppOptions, 'log' | 'metrics' | 'onBroken' | 'settings'>> {
  readonly log: Logger;
}

/** NO_COLOR (no-color.org) is for people who want none. */
function styleOfLog(): LogStyle {
  if (!process.stderr.isTTY) return 'json';
  return (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb' ? 'coloured' : 'plain';
}

/** Connects the service's reports to the log and the operator; an unexpected error ends it. */
function observe(config: Config, environment: Readonly<Record<string, string | undefined>>): ObservedParts {
  const metrics = createAppMetrics(version);
  const onLine: Parameters<typeof createLogger>[1] = (level) => {
    metrics.logLines.of(level).value += 1;
  };
  const log = createLogger(config.general.logLevel, onLine, styleOfLog());
  for (const variable of findUnknownVariables(environment)) log.warn('config.unknown_variable', { variable });
  process.on('unhandledRejection', (error) => endBroken(log, 'process.unhandled_rejection', error));
  process.on('uncaughtException', (error) => endBroken(log, 'process.uncaught_exception', error));
  const onBroken = (error: Error): never => endBroken(log, 'store.broken', error);
  return { log, metrics, onBroken, settings: describeSettings(environment) };
}

/** Runs the service for a developer: its data is removed when it ends, however it ends. */
async function dev(command: ProgramCommand): Promise<void> {
  process.umask(0o077);
  refuseMisspelt(process.env);
  const folder = command['data'] === undefined ? createDevFolder() : undefined;
  process.on('exit', () => folder?.remove());
  const endEarly = (): never => process.exit(0);
  for (const signal of stopSignals) process.on(signal, endEarly);
  const dataDir = folder?.path ?? String(command['data']);
  const { environment, ignored, mailpitAuth } = readDevSettings(process.env, {
    dataDir,
    host: command['host']?.toString(),
    smtpPort: command['smtp_port'] === undefined ? undefined : Number(command['smtp_port']),
    httpPort: command['http_port'] === undefined ? undefined : Number(command['http_port']),
  });
  const config = loadConfig(environment);
  const parts = observe(config, environment);
  for (const variable of ignored) parts.log.warn('config.unknown_variable', { variable });
  const app = await startApp({ ...parts, config, dev: { mailpitAuth } }).catch(explainTakenPort);
  for (const signal of stopSignals) process.removeListener(signal, endEarly);
  stopOnSignal(app, parts.log);
  const { compat: http, smtp, admin } = app;
  if (!http || !smtp) throw new Error('A listener is missing, although every role is set.');
  const { basePath } = config.http;
  process.stdout.write(describeDev({ http, smtp, admin, basePath, dataDir, isKept: !folder }));
}

/** @throws the given error, with a clearer message when a port is taken */
function explainTakenPort(error: unknown): never {
  const { cause } = error as Error;
  const { code } = (cause ?? {}) as { code?: unknown };
  if (!(error instanceof StartError) || code !== 'EADDRINUSE') throw error;
  if (error.message.includes('MAYFLY_ADMIN_PORT')) throw error;
  const remedy = '--smtp-port and --http-port set another one, or 0 for any free one.';
  throw new StartError(error.fault, { cause, remedy });
}

/** Begins with `ready` and the addresses, for programs that wait for it. */
function describeReady({ http, smtp, admin, compat }: RunningApp, config: Config): string {
  const origin = http && `http://${formatHost(http.host)}:${http.port}`;
  const addresses = [origin, smtp && `smtp://${formatHost(smtp.host)}:${smtp.port}`];
  const ready = ['ready', ...addresses.filter((address) => address !== undefined)].join(' ');
  if (origin === undefined) return ready;
  const base = (config.http.publicUrl || origin) + config.http.basePath;
  return [
    ready,
    `  The page:      ${base}/`,
    `  An address:    curl -X POST ${base}/create-session`,
    `  Documentation: ${base}/docs`,
    '  Domains:       npx mayfly domain list',
    ...(compat ? [`  Dialects:      http://${formatHost(compat.host)}:${compat.port}/`] : []),
    ...(admin ? [`  Operator:      http://${formatHost(admin.host)}:${admin.port}/admin`] : []),
  ].join('\n');
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/** The same key press can arrive twice (from the terminal and forwarded by npm). */
const repeatedSignalMs = 500;

function stopOnSignal(app: RunningApp, log: Logger): void {
  let stoppingSince: number | undefined;
  const stop = (signal: string): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(exitStatus.failed);
      return;
    }
    stoppingSince = performance.now();
    log.info('process.stopping', { signal });
    // Keeps the process alive, since close may wait only for unreferenced timers and workers.
    setInterval(() => undefined, 60_000);
    app.close().then(
      () => process.exit(0),
      (error: unknown) => endBroken(log, 'process.stop_failed', error),
    );
  };
  for (const signal of stopSignals) process.on(signal, stop);
}

/** Runs the command in the running service, or in this process when there is none. */
async function carryOut(config: Config, command: OperatorCommand, given: Given): Promise<object> {
  const log = createLogger('error');
  const onBroken = (error: Error): never => endBroken(log, 'store.broken', error);
  const answer = await callService(config.general.dataDir, command, given);
  if (answer) return answer;
  const settings = describeSettings(process.env);
  return workAlone({ config, log, onBroken, settings }, (context) => command.run(context, given));
}

async function runOperator(call: OperatorCall): Promise<void> {
  const given = readSecretFiles(call);
  const answer = await carryOut(loadConfig(process.env), call.command, given);
  say(print(call.command, answer, given));
}

function print(command: OperatorCommand, answer: object, given: Given): readonly string[] {
  try {
    return command.print(answer, given);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(unreadAnswer, { cause: error });
  }
}

async function backup(folder: string): Promise<void> {
  process.umask(0o077);
  const config = loadConfig(process.env);
  const { dataDir } = config.general;
  // Loaded here, so that the service does not load the database clients.
  const { makeBackup } = await import('./cli/backup-command.ts');
  const copyStore = async (): Promise<string> => {
    const [file = ''] = print(copyCommand, await carryOut(config, copyCommand, {}), {});
    return file;
  };
  say(await makeBackup({ dataDir, copyStore, database: databaseOf(config) }, folder));
}

async function restore(folder: string, endSessions: boolean): Promise<void> {
  process.umask(0o077);
  const config = loadConfig(process.env);
  const { dataDir } = config.general;
  const { restoreBackup } = await import('./cli/restore-command.ts');
  say(await restoreBackup(folder, { dataDir, endSessions, database: databaseOf(config) }));
}

/** Returns undefined when the store is a file. */
function databaseOf(config: Config): DatabaseAccess | undefined {
  const { url, directUrl } = config.store;
  return isShared(config) ? { url: directUrl || url, programPath: process.env['PATH'] ?? '' } : undefined;
}

async function copy(from: string, given: string | undefined): Promise<void> {
  process.umask(0o077);
  const { general, store } = loadConfig(process.env);
  const to = given ?? (store.directUrl || store.url);
  if (to.startsWith('sqlite:')) {
    throw new StartError('The target is missing: set MAYFLY_STORE_URL to the database, or give --to.');
  }
  const { copyStore } = await import('./cli/copy-command.ts');
  await copyStore(
    { from, to },
    {
      dataDir: general.dataDir,
      describeFault: describeStoreFault,
      say: (line) => {
        say([line]);
      },
    },
  );
}

async function distribute(isCheck: boolean, shards: number): Promise<void> {
  const { store } = loadConfig(process.env);
  const url = store.directUrl || store.url;
  if (url.startsWith('sqlite:')) {
    throw new StartError('Set MAYFLY_STORE_URL to the database of the cluster’s coordinator.');
  }
  const { distributeStore } = await import('./cli/distribute-command.ts');
  const left = await distributeStore({
    ...{ url, shards, isCheck, describeFault: describeStoreFault },
    say: (line) => {
      say([line]);
    },
  });
  if (left > 0) process.exitCode = exitStatus.failed;
}

function say(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Runs a command for people and scripts; none of these is an operator's. */
async function inbox(kind: InboxCommand, given: ProgramCommand): Promise<void> {
  process.umask(0o077);
  const leaving = new AbortController();
  if (kind === 'inbox watch') {
    for (const signal of stopSignals) process.on(signal, () => leaving.abort());
  }
  // The reader of the output may have closed it early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // Loaded here, so that the service does not load it.
  const { runInbox } = await import('#inbox/run');
  const { stdout: out, stderr: error, env: environment } = process;
  process.exitCode = await runInbox(kind, given, { environment, out, error, signal: leaving.signal });
}

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'operator':
      return runOperator(command);
    case 'serve':
      return serve(Number(command['processes'] ?? 1));
    case 'dev':
      return dev(command);
    case 'inbox new':
    case 'inbox list':
    case 'inbox wait':
    case 'inbox watch':
    case 'inbox read':
    case 'inbox open':
    case 'inbox end':
      return inbox(command.kind, command);
    case 'mailbox list':
      return mailbox({ action: 'list' });
    case 'mailbox show':
      return mailbox({ action: 'show', id: String(command['id']) });
    case 'mailbox remove':
      return mailbox({ action: 'remove', id: String(command['id']) });
    case 'backup':
      return backup(String(command['folder']));
    case 'restore':
      return restore(String(command['folder']), command['end_sessions'] === true);
    case 'copy':
      return copy(String(command['from']), command['to']?.toString());
    case 'postgres distribute':
      return distribute(command['check'] === true, Number(command['shards'] ?? shardsByDefault));
    case 'completion':
      process.stdout.write(formatCompletion());
      return;
    case 'version':
      process.stdout.write(`mayfly ${version}\n`);
      return;
    case 'help':
      process.stdout.write(formatHelp(command['of']?.toString()));
  }
}

async function mailbox(action: MailboxAction): Promise<void> {
  const config = loadConfig(process.env);
  const database = databaseOf(config);
  if (!database) {
    say(await runMailbox(openMaildirLetters(join(config.general.dataDir, 'operator')), action));
    return;
  }
  const { withLetters } = await import('./store/postgres/operator-letters.ts');
  const { askDatabase } = await import('./cli/postgres-copy.ts');
  say(await askDatabase(() => withLetters(database.url, (letters) => runMailbox(letters, action))));
}

function describe(error: unknown): string {
  if (error instanceof MayflyError) return error.publicMessage;
  if (error instanceof StartError || error instanceof OperatorError) return error.message;
  return nameSources(String((error as Error).stack));
}

function fail(error: unknown): never {
  if (error instanceof UsageError) {
    process.stderr.write(`mayfly: ${error.message} See \`mayfly help\`.\n`);
    process.exit(process.argv[2] === 'inbox' ? exitStatus.usageOfInbox : exitStatus.usage);
  }
  if (error instanceof ConfigError) {
    process.stderr.write(`mayfly: ${error.message}\n`);
    process.exit(exitStatus.config);
  }
  process.stderr.write(`mayfly: ${describe(error)}\n`);
  process.exit(error instanceof StartError && error.isLasting ? exitStatus.config : exitStatus.failed);
}

try {
  await run(parseArguments(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
