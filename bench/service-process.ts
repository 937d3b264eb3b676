// The built service as an operator runs it, on a data folder of the benchmark's: default settings, save free ports
// and no quotas. Its log goes to a file beside the data, so that a failure can show what it said.
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readFirstLine, startChild, stopChild } from './child-processes.ts';

export const domain = 'mayfly.test';

export interface ServiceProcess {
  readonly httpPort: number;
  readonly smtpPort: number;
  readonly pid: number;
  /** From its start to its line `ready`. */
  readonly readyMs: number;
  stop(): Promise<void>;
  /** The end of its log. */
  readLog(): string;
}

export interface ServicePlace {
  /** Made when absent. */
  readonly dataDir: string;
  /** Of the database; undefined for a SQLite file in the data folder. */
  readonly storeUrl?: string | undefined;
  /** How many share the work; one by default. */
  readonly processes?: number;
  /** Come before the benchmark's own. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** `build`: folder of the service's build. @throws Error when it does not start */
export async function startService(build: string, place: ServicePlace): Promise<ServiceProcess> {
  const { dataDir, storeUrl, processes = 1, settings = {} } = place;
  mkdirSync(dataDir, { recursive: true });
  const logFile = path.join(path.dirname(dataDir), `${path.basename(dataDir)}.log`);
  const log = openSync(logFile, 'a');
  const readLog = (): string => readFileSync(logFile, 'utf8').slice(-2000);
  const startedAt = performance.now();
  const child = startChild({
    program: process.execPath,
    args: [
      path.join(build, 'main.js'),
      'serve',
      ...(processes > 1 ? ['--processes', String(processes)] : []),
    ],
    stdio: ['ignore', 'pipe', log],
    env: { ...serviceSettings(dataDir, storeUrl), ...settings },
  });
  closeSync(log);
  const line = await readFirstLine(child, 'the service').catch((error: unknown) => {
    throw new Error(`The service does not start. Its log:\n${readLog()}`, { cause: error });
  });
  const readyMs = performance.now() - startedAt;
  const ports = /^ready http:\/\/[^ ]+:(\d+) smtp:\/\/[^ ]+:(\d+)$/.exec(line);
  if (ports === null) throw new Error(`Not a line of readiness: ${line}`);
  const [httpPort, smtpPort] = [Number(ports[1]), Number(ports[2])];
  return { httpPort, smtpPort, pid: child.pid ?? 0, readyMs, stop: () => stopChild(child), readLog };
}

/** Of every command of the service's: nothing but the benchmark's own. */
export function serviceSettings(dataDir: string, storeUrl?: string): NodeJS.ProcessEnv {
  return {
    ...withoutSettings(process.env),
    ...(storeUrl === undefined ? {} : { MAYFLY_STORE_URL: storeUrl }),
    MAYFLY_DATA_DIR: dataDir,
    MAYFLY_DOMAINS: domain,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_DNS_SERVERS: 'none',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LIMITS_SESSION_BYTES: '0',
  };
}

/** The operator's own settings must not change what is measured. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MAYFLY_')));
}
