// `mayfly dev`: runs the service for a developer, until a signal or the end of the command that it was given.

import { rmSync, writeFileSync } from 'node:fs';

import { growFreely } from '#threads/heap-growth';
import { createDevFolder } from '../app/dev-folder.ts';
import { StartError } from '../app/start-error.ts';
import { type RunningApp, startApp } from '../app.ts';
import { readDevSettings } from '#config/dev-settings';
import { loadConfig, refuseMisspelt } from '#config/load-config';
import { codeOf } from '#system-errors/error-code';
import type { SettingSources } from '#config/setting-sources';
import {
  describeDev,
  describeDevAsJson,
  describeInboxes,
  type DevText,
  senderKeys,
  testVariables,
} from './dev-text.ts';
import { runBeside } from './run-beside.ts';
import type { Program, ProgramGiven } from './program-command.ts';
import { closeAlive, observe, stopOnSignal } from './run-service.ts';
import { stopSignals } from './stop-signals.ts';
import { workerLogin } from './worker-login.ts';

/** Runs the service for a developer: its data is removed when it ends, however it ends. */
export async function dev(given: ProgramGiven, program: Program): Promise<void> {
  process.umask(0o077);
  growFreely();
  refuseMisspelt(program.environment);
  const { rest: command } = program;
  const folder = given['data'] === undefined ? createDevFolder() : undefined;
  process.on('exit', () => folder?.remove());
  const endEarly = (): never => process.exit(0);
  for (const signal of stopSignals) process.on(signal, endEarly);
  const dataDir = folder?.path ?? String(given['data']);
  // A command knows the ports from its environment, so that many can run on one machine.
  const portOf = (name: string): number | undefined =>
    given[name] === undefined ? (command ? 0 : undefined) : Number(given[name]);
  const { environment, ignored, mailpitAuth } = readDevSettings(program.environment, {
    dataDir,
    host: given['host']?.toString(),
    smtpPort: portOf('smtp_port'),
    httpPort: portOf('http_port'),
  });
  const config = loadConfig(environment);
  const parts = observe(config, {
    environment,
    others: sourcesOf(environment, program),
    file: program.file,
  });
  for (const variable of ignored) parts.log.warn('config.unknown_variable', { variable });
  const app = await startApp({
    ...parts,
    config,
    syncing: folder ? 'never' : 'commits',
    dev: { mailpitAuth },
  }).catch(explainTakenPort);
  for (const signal of stopSignals) process.removeListener(signal, endEarly);
  const text = describe(app, {
    basePath: config.http.basePath,
    dataDir,
    isKept: !folder,
    worker: await openWorkerInbox(app, program.environment),
  });
  const asJson = given['json'] === true;
  if (given['save_env'] !== undefined) writeVariables(String(given['save_env']), text);
  if (command) {
    process.exit(await runCommand(app, { command, text, asJson, environment: program.environment }));
  }
  stopOnSignal(app, parts.log);
  process.stdout.write(asJson ? describeDevAsJson(text) : describeDev(text));
}

/** Whatever the environment does not say, the command does. */
function sourcesOf(environment: Program['environment'], given: Program): SettingSources['others'] {
  const own = Object.keys(environment).filter(
    (name) => environment[name] !== given.environment[name]?.trim(),
  );
  return new Map([...given.others, ...own.map((name) => [name, 'command line'] as const)]);
}

/** Resolves with undefined where no worker is named. */
async function openWorkerInbox(
  app: RunningApp,
  environment: Program['environment'],
): Promise<DevText['worker']> {
  const login = workerLogin(environment);
  if (!login) return undefined;
  const token = await app.tokenOf(login.user);
  return token === undefined ? undefined : { ...login, token };
}

function describe(
  app: RunningApp,
  rest: Pick<DevText, 'basePath' | 'dataDir' | 'isKept' | 'worker'>,
): DevText {
  const { compat: http, smtp, admin } = app;
  if (!http || !smtp) throw new Error('A listener is missing, although every role is set.');
  return { http, smtp, admin, ...rest };
}

/** Removed when the process ends, since its ports mean nothing then. */
function writeVariables(file: string, text: DevText): void {
  const lines = testVariables(text).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  process.on('exit', () => {
    rmSync(file, { force: true });
  });
}

interface CommandRun {
  readonly command: readonly string[];
  readonly text: DevText;
  readonly asJson: boolean;
  readonly environment: Program['environment'];
}

/** Runs the command with the variables of a test, reports the mail that nothing read, and returns its exit status. */
async function runCommand(
  app: RunningApp,
  { command, text, asJson, environment }: CommandRun,
): Promise<number> {
  const status = await runBeside(command, {
    ...senderKeys,
    ...environment,
    ...Object.fromEntries(testVariables(text)),
  });
  const inboxes = await app.listUnread();
  await closeAlive(app);
  process.stderr.write(asJson ? `${JSON.stringify({ status, inboxes })}\n` : describeInboxes(inboxes));
  return status;
}

/** @throws the given error, with a clearer message when a port is taken */
function explainTakenPort(error: unknown): never {
  const { cause } = error as Error;
  const code = codeOf(cause);
  if (!(error instanceof StartError) || code !== 'EADDRINUSE') throw error;
  if (error.message.includes('MAYFLY_ADMIN_PORT')) throw error;
  const remedy = '--smtp-port and --http-port set another one, or 0 for any free one.';
  throw new StartError(error.fault, { cause, remedy });
}
