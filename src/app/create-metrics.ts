// Connects the metrics to the parts that supply the figures. Part of the composition root, called by app.ts.

import type { Logger } from '#telemetry/logger';
import { createSampledLog } from '#telemetry/sampled-log';
import { createVitals, type Vitals } from '#telemetry/vitals';
import type { Config } from '#config/settings';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { collectProcess } from '../observe/process-metrics.ts';
import { createSweeper } from '../service/addresses/sweep-expired.ts';
import type { LiveReaders } from '../service/live/live-readers.ts';
import type { StoreObserver } from '../store/store-observer.ts';
import type { Stores } from '../store/stores.ts';
import { createSharedJobs } from './create-shared-jobs.ts';

/** Limited, because counting live sessions reads an index entry for each. */
const sessionsCountedEveryMs = 15_000;

export function createAppMetrics(version: string): Metrics {
  const metrics = createMetrics();
  collectProcess(metrics, version);
  return metrics;
}

export function observeStore(metrics: Metrics, log: Logger): StoreObserver {
  const sampled = createSampledLog(log);
  const writes = metrics.storeWrites.of();
  const rollbacks = metrics.storeRollbacks.of();
  const created = metrics.sessionsCreated.of();
  return {
    onCommit: (seconds, count) => {
      metrics.commitSeconds.observe(seconds);
      writes.value += count;
    },
    onRollback: () => {
      rollbacks.value += 1;
    },
    onCheckpoint: (mode, seconds) => {
      metrics.checkpointSeconds.of(mode).observe(seconds);
    },
    onCheckpointFailed: (error) => {
      sampled.warn('store.checkpoint_failed', { error });
    },
    onWriteRefused: (error) => {
      sampled.warn('store.write_refused', { error });
    },
    onSessionCreated: () => {
      created.value += 1;
    },
  };
}

export interface CollectedParts {
  readonly store: Pick<Stores, 'readFigures' | 'finder'>;
  readonly vitals: Vitals;
  readonly readers: LiveReaders;
  readonly isReady: () => boolean;
}

/** Collects figures that are computed on demand. */
export function collectParts(metrics: Metrics, { store, vitals, readers, isReady }: CollectedParts): void {
  let countedAt = -Infinity;
  metrics.registry.onCollect(async () => {
    const figures = store.readFigures();
    if (figures) {
      metrics.storeWaiting.of().value = figures.waitingWrites;
      metrics.walBytes.of().value = figures.logBytes;
      metrics.databaseBytes.of().value = figures.databaseBytes;
      metrics.freeBytes.of().value = figures.freeBytes;
    }
    if (isReady() && performance.now() - countedAt > sessionsCountedEveryMs) {
      countedAt = performance.now();
      metrics.sessionsLive.of().value = await store.finder.countLive();
    }
    metrics.diskFree.of().value = vitals.freeBytes();
    metrics.diskLow.of().value = vitals.isDiskLow() ? 1 : 0;
    metrics.ready.of().value = isReady() ? 1 : 0;
    for (const kind of ['stream', 'wait'] as const) {
      metrics.liveReaders.of(kind).value = readers.count(kind);
    }
  });
}

/** Starts the work that runs in the background. */
export function startJobs(
  { mail, shared }: Pick<Stores, 'mail' | 'shared'>,
  metrics: Metrics,
  log: Logger,
): { close(): Promise<void> } {
  const sweepOptions = {
    mail,
    onRound: (ended: number) => {
      metrics.sweepRounds.of('done').value += 1;
      metrics.sweepEnded.of().value += ended;
      metrics.sweepAt.of().value = Math.round(Date.now() / 1000);
    },
    onError: (error: unknown) => {
      metrics.sweepRounds.of('failed').value += 1;
      log.error('sweep.failed', { error });
    },
  };
  return shared ? createSharedJobs({ ...sweepOptions, shared }) : createSweeper(sweepOptions);
}

export function startVitals({ general }: Config, metrics: Metrics, log: Logger): Promise<Vitals> {
  const { dataDir, diskFloorBytes } = general;
  return createVitals({
    dataDir,
    diskFloorBytes,
    log,
    onLag: (seconds) => {
      metrics.loopLag.observe(seconds);
    },
  });
}
