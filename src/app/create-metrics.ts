// Ties the metrics to the parts that know their figures. Part of the composition root, called by app.ts.

import type { Config } from '../config/settings.ts';
import type { Logger } from '../observe/logger.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { collectProcess } from '../observe/process-metrics.ts';
import { createSampledLog } from '../observe/sampled-log.ts';
import { createVitals, type Vitals } from '../observe/vitals.ts';
import { createSweeper, type Sweeper } from '../service/sweep-expired.ts';
import type { LiveReaders } from '../service/live-readers.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { StoreObserver } from '../store/store-observer.ts';

/** Counting live sessions reads an index entry for each. */
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
    onSessionCreated: () => {
      created.value += 1;
    },
  };
}

export interface CollectedParts {
  readonly store: Pick<SqliteStore, 'readFigures' | 'countLiveSessions'>;
  readonly vitals: Vitals;
  readonly readers: LiveReaders;
  readonly isReady: () => boolean;
}

/** What is looked at only when somebody asks. */
export function collectParts(metrics: Metrics, { store, vitals, readers, isReady }: CollectedParts): void {
  let countedAt = -Infinity;
  metrics.registry.onCollect(() => {
    const figures = store.readFigures();
    metrics.storeWaiting.of().value = figures.waitingWrites;
    metrics.walBytes.of().value = figures.logBytes;
    metrics.databaseBytes.of().value = figures.databaseBytes;
    metrics.freeBytes.of().value = figures.freeBytes;
    if (performance.now() - countedAt > sessionsCountedEveryMs) {
      metrics.sessionsLive.of().value = store.countLiveSessions();
      countedAt = performance.now();
    }
    metrics.diskFree.of().value = vitals.freeBytes();
    metrics.diskLow.of().value = vitals.isDiskLow() ? 1 : 0;
    metrics.ready.of().value = isReady() ? 1 : 0;
    for (const kind of ['stream', 'wait'] as const) {
      metrics.liveReaders.of(kind).value = readers.count(kind);
    }
  });
}

export function startSweeper(mail: MailStore, metrics: Metrics, log: Logger): Sweeper {
  return createSweeper({
    mail,
    onRound: (ended) => {
      metrics.sweepRounds.of('done').value += 1;
      metrics.sweepEnded.of().value += ended;
      metrics.sweepAt.of().value = Math.round(Date.now() / 1000);
    },
    onError: (error) => {
      metrics.sweepRounds.of('failed').value += 1;
      log.error('sweep.failed', { error });
    },
  });
}

export function startVitals({ general }: Config, metrics: Metrics, log: Logger): Promise<Vitals> {
  const { dataDir, diskFloorBytes } = general;
  return createVitals({
    ...{ dataDir, diskFloorBytes, log },
    onLag: (seconds) => {
      metrics.loopLag.observe(seconds);
    },
  });
}
