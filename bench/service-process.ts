// The built service on a data folder of the benchmark: default settings, except for free ports and no quotas. Its log
// goes to a file beside the data, so that a failure can show it.
import type { ChildProcess } from 'node:child_process';
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
  /** Returns the end of its log. */
  readLog(): string;
  /** Returns how many full collections its threads have made, if they are traced. */
  readonly countCollections: () => number;
}

export interface ServicePlace {
  /** Created if needed. */
  readonly dataDir: string;
  /** The database's URL; undefined for a SQLite file in the data folder. */
  readonly storeUrl?: string | undefined;
  /** The number of processes; 1 by default. */
  readonly processes?: number;
  /** Override the benchmark's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether V8 reports its collections. */
  readonly tracesCollections?: boolean;
}

/** @param build folder of the service's build. @throws Error when the service does not start */
export async function startService(build: string, place: ServicePlace): Promise<ServiceProcess> {
  const { dataDir, storeUrl, processes = 1, settings = {}, tracesCollections = false } = place;
  mkdirSync(dataDir, { recursive: true });
  const logFile = path.join(path.dirname(dataDir), `${path.basename(dataDir)}.log`);
  const log = openSync(logFile, 'a');
  const readLog = (): string => readFileSync(logFile, 'utf8').slice(-2000);
  const startedAt = performance.now();
  const child = startChild({
    program: process.execPath,
    args: [
      ...(tracesCollections ? ['--trace-gc'] : []),
      path.join(build, 'main.js'),
      'serve',
      ...(processes > 1 ? ['--processes', String(processes)] : []),
    ],
    stdio: ['ignore', 'pipe', log],
    env: { ...serviceSettings(dataDir, storeUrl), ...settings },
  });
  closeSync(log);
  const countCollections = createCollectionCount(child);
  const line = await readFirstLine(child, 'the service', 'ready ').catch((error: unknown) => {
    throw new Error(`The service did not start. Its log:\n${readLog()}`, { cause: error });
  });
  const readyMs = performance.now() - startedAt;
  const ports = /^ready https?:\/\/[^ ]+:(\d+) smtp:\/\/[^ ]+:(\d+)$/.exec(line);
  if (ports === null) throw new Error(`Expected the line ready, got: ${line}`);
  const [httpPort, smtpPort] = [Number(ports[1]), Number(ports[2])];
  const stop = (): Promise<void> => stopChild(child);
  return { httpPort, smtpPort, pid: child.pid ?? 0, readyMs, stop, readLog, countCollections };
}

/** Counts V8's lines of full collections; those marked "(reduce)" are made by threads that have nothing to do. */
function createCollectionCount(child: ChildProcess): () => number {
  let count = 0;
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    count += lines.filter((line) => line.includes(' Mark-Compact ') && !line.includes('(reduce)')).length;
  });
  return () => count;
}

/** The environment for every command of the service, with no settings but the benchmark's. */
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

/** Removes the operator's own settings, which must not affect the result. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MAYFLY_')));
}
