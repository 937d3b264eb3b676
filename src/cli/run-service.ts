// `mayfly serve`: runs the service in this process, until a signal ends it.

import { createLogFeed } from '#telemetry/log-feed';
import type { Logger } from '#telemetry/logger';
import { growFreely } from '#threads/heap-growth';
import { createAppMetrics } from '../app/create-metrics.ts';
import { findOwnPlace, reportReady, runProcesses } from '../app/run-processes.ts';
import { type AppOptions, type RunningApp, startApp } from '../app.ts';
import { readInheritedSockets } from '#config/inherited-sockets';
import { findUnknownVariables, loadConfig } from '#config/load-config';
import type { Config } from '#config/settings';
import type { SettingSources } from '#config/setting-sources';
import { describeSettings } from '#config/settings-in-force';
import { version } from '../app/version.ts';
import { createLogger, type LoggerOptions, type LogStyle } from '../observe/create-logger.ts';
import { formatHost } from './format-host.ts';
import { endBroken } from './end-broken.ts';
import { exitStatus } from './exit-status.ts';
import type { Program, ProgramGiven } from './program-command.ts';
import { stopSignals } from './stop-signals.ts';

/** Runs the service, in as many processes as are wanted. */
export async function serve(given: ProgramGiven, program: Program): Promise<void> {
  const processes = Number(given['processes'] ?? 1);
  // Files contain other people's mail, though sealed, so no other user of the machine gets access.
  process.umask(0o077);
  growFreely();
  const { environment } = program;
  const config = loadConfig(environment);
  const sockets = readInheritedSockets(environment, process.pid);
  const parts = observe(config, program);
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

export interface ObservedParts extends Required<
  Pick<AppOptions, 'log' | 'metrics' | 'onBroken' | 'settings' | 'logFeed'>
> {
  readonly log: Logger;
}

/** NO_COLOR (no-color.org) is for people who want none. */
function styleOfLog(environment: Program['environment']): LogStyle {
  if (!process.stderr.isTTY) return 'json';
  return (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb' ? 'coloured' : 'plain';
}

/** Connects the service's reports to the log and the operator; an unexpected error ends it. */
export function observe(config: Config, sources: SettingSources): ObservedParts {
  const { environment } = sources;
  const metrics = createAppMetrics(version);
  const logFeed = createLogFeed();
  const onLine: LoggerOptions['onLine'] = (level) => {
    metrics.logLines.of(level).value += 1;
  };
  const log = createLogger(config.general.logLevel, {
    onLine,
    style: styleOfLog(environment),
    feed: logFeed,
  });
  for (const variable of findUnknownVariables(environment)) log.warn('config.unknown_variable', { variable });
  process.on('unhandledRejection', (error) => endBroken(log, 'process.unhandled_rejection', error));
  process.on('uncaughtException', (error) => endBroken(log, 'process.uncaught_exception', error));
  const onBroken = (error: Error): never => endBroken(log, 'store.broken', error);
  return { log, logFeed, metrics, onBroken, settings: describeSettings(sources) };
}

/** Begins with `ready` and the addresses, for programs that wait for it. */
function describeReady({ http, smtp, admin, compat }: RunningApp, config: Config): string {
  const scheme = config.http.tls === 'off' ? 'http' : 'https';
  const origin = http && `${scheme}://${formatHost(http.host)}:${http.port}`;
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

/** Keeps the process alive meanwhile, since close may wait only for unreferenced timers and workers. */
export function closeAlive(app: RunningApp): Promise<void> {
  setInterval(() => undefined, 60_000);
  return app.close();
}

/** The same key press can arrive twice (from the terminal and forwarded by npm). */
const repeatedSignalMs = 500;

export function stopOnSignal(app: RunningApp, log: Logger): void {
  let stoppingSince: number | undefined;
  const stop = (signal: string): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > repeatedSignalMs) process.exit(exitStatus.failed);
      return;
    }
    stoppingSince = performance.now();
    log.info('process.stopping', { signal });
    closeAlive(app).then(
      () => process.exit(0),
      (error: unknown) => endBroken(log, 'process.stop_failed', error),
    );
  };
  for (const signal of stopSignals) process.on(signal, stop);
}
