// The state of the machine, measured on a timer and consulted for every connection: lateness of the event loop and
// free disk space in the data folder.

import { statfs } from 'node:fs/promises';
import { performance as loop } from 'node:perf_hooks';

import type { Logger } from './logger.ts';

const loopIntervalMs = 50;
const overloadedMs = 200;
/** Weight of the newest measurement: a single stall, however long, is not an overload; a second of them is. */
const lagWeight = 0.2;
const stallMaxMs = overloadedMs / lagWeight;
const diskIntervalMs = 2000;

export interface Vitals {
  /** Reports whether our own work makes the event loop late, not counting time that other programs take. */
  isOverloaded(): boolean;
  isDiskLow(): boolean;
  /** As of the last measurement. */
  freeBytes(): number;
  close(): void;
}

export interface VitalsOptions {
  readonly dataDir: string;
  /** Free bytes below which no more mail is accepted; 0 for no floor. */
  readonly diskFloorBytes: number;
  readonly log: Logger;
  /** Called with the loop's lateness at each measurement. */
  readonly onLag: (seconds: number) => void;
  /** Returns the share of time since the last call that the loop was busy; Node's own figure by default. */
  readonly measureLoad?: () => number;
}

function createLoadMeter(): () => number {
  let before = loop.eventLoopUtilization();
  return () => {
    const now = loop.eventLoopUtilization();
    const { utilization } = loop.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

export async function createVitals(options: VitalsOptions): Promise<Vitals> {
  const { dataDir, diskFloorBytes, log, onLag, measureLoad = createLoadMeter() } = options;
  let dueAt = performance.now() + loopIntervalMs;
  let lagMs = 0;
  let isDiskLow = false;
  let freeBytes = 0;

  const loopTimer = setInterval(() => {
    const now = performance.now();
    const lateMs = Math.max(0, now - dueAt);
    lagMs += lagWeight * (Math.min(lateMs * measureLoad(), stallMaxMs) - lagMs);
    onLag(lateMs / 1000);
    dueAt = now + loopIntervalMs;
  }, loopIntervalMs).unref();

  async function lookAtDisk(): Promise<void> {
    const { bavail, bsize, ffree, files } = await statfs(dataDir);
    freeBytes = bavail * bsize;
    const isLow = freeBytes < diskFloorBytes || (diskFloorBytes > 0 && files > 0 && ffree < 100);
    if (isLow !== isDiskLow) log.warn(isLow ? 'disk.low' : 'disk.recovered', { freeBytes });
    isDiskLow = isLow;
  }

  const diskTimer = setInterval(() => {
    lookAtDisk().catch((error: unknown) => {
      log.error('disk.unknown', { error });
    });
  }, diskIntervalMs).unref();
  await lookAtDisk();

  return {
    isOverloaded: () => lagMs > overloadedMs,
    isDiskLow: () => isDiskLow,
    freeBytes: () => freeBytes,
    close: () => {
      clearInterval(loopTimer);
      clearInterval(diskTimer);
    },
  };
}
