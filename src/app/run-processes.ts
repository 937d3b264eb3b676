// Runs several processes of the service on one machine, over one data folder and one PostgreSQL database. The first
// process only holds the folder; the others share the same ports. The only place that starts
// processes, and only of this program.

import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '#telemetry/logger';
import type { Config } from '#config/settings';
import { isShared, lockDataFolder } from './open-store.ts';
import { lastingStatus, StartError } from './start-error.ts';

export interface ProcessesOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly count: number;
  /** Called once when all are ready, with the first one's ready line. */
  readonly onReady: (text: string) => void;
}

/** The place of a process started here; undefined for any other. */
export interface OwnPlace {
  /** From 0; the first does what only one may do. A replacement takes over the place of its predecessor. */
  readonly place: number;
}

/** The delay before a process that exited by itself is restarted. */
const restartMs = 1000;

/** Asks the parent process for the place, because the parent cannot detect when its child is listening. */
export async function findOwnPlace(): Promise<OwnPlace | undefined> {
  if (!cluster.isWorker) return undefined;
  return new Promise((resolve) => {
    process.once('message', (message: unknown) => {
      resolve({ place: Number((message as { place?: unknown } | null)?.place) });
    });
    process.send?.({ asksForPlace: true });
  });
}

export function reportReady(text: string): void {
  process.send?.({ ready: text });
}

/** Resolves with the exit status once all have ended after a signal. @throws StartError when one cannot start */
export async function runProcesses(options: ProcessesOptions): Promise<number> {
  const { config, count, onReady } = options;
  if (!isShared(config)) {
    throw new StartError('--processes needs PostgreSQL: a SQLite file belongs to one process.', {
      isLasting: true,
    });
  }
  const lock = lockDataFolder(config.general.dataDir);
  const stopping = new AbortController();
  const kept: Promise<void>[] = [];
  const stop = (signal: NodeJS.Signals): void => {
    stopping.abort();
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  try {
    let text = '';
    // One after the other, because the first creates the schema, the certificate and the keys.
    for (let place = 0; place < count && !stopping.signal.aborted; place++) {
      const { worker, ready } = await startOne(place);
      text ||= ready;
      kept.push(keep(worker, place, { ...options, signal: stopping.signal }));
    }
    if (!stopping.signal.aborted) onReady(text);
    await Promise.all(kept);
    return 0;
  } catch (error) {
    // A signal arrived during the start.
    if (stopping.signal.aborted) return 0;
    throw error;
  } finally {
    if (!stopping.signal.aborted) stop('SIGTERM');
    lock.release();
  }
}

interface Started {
  readonly worker: Worker;
  readonly ready: string;
}

async function startOne(place: number): Promise<Started> {
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    const onExit = (status: number): void => {
      // The process has printed the reason.
      const isLasting = status === lastingStatus;
      reject(new StartError('A process of the service could not start.', { isLasting }));
    };
    worker.once('exit', onExit);
    worker.on('message', (message: unknown) => {
      const { ready, asksForPlace } = (message ?? {}) as { ready?: unknown; asksForPlace?: unknown };
      if (asksForPlace === true) worker.send({ place });
      if (typeof ready !== 'string') return;
      worker.removeListener('exit', onExit);
      resolve({ worker, ready });
    });
  });
}

/** Restarts the process whenever it ends, until all are to stop. */
async function keep(
  first: Worker,
  place: number,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  let worker: Worker | undefined = first;
  for (;;) {
    if (worker) await untilExit(worker);
    if (signal.aborted) return;
    log.error('process.ended', { place, exitCode: worker?.process.exitCode ?? null });
    await delay(restartMs);
    if (signal.aborted) return;
    try {
      ({ worker } = await startOne(place));
    } catch (error) {
      worker = undefined;
      log.error('process.not_started', { place, error });
    }
  }
}

function untilExit(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) =>
    worker.once('exit', () => {
      resolve();
    }),
  );
}
