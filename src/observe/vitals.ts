// How the machine is doing, looked at on a timer and asked for on every connection: lateness of the event loop and
// free space of the data folder's disk. Made by app.ts.

import { statfs } from 'node:fs/promises';
import { performance as loop } from 'node:perf_hooks';

import type { Logger } from './logger.ts';

const loopIntervalMs = 50;
const overloadedMs = 200;
/** Weight of the newest look: one stall is not an overload, however long, a second of them is. */
const lagWeight = 0.2;
const stallMaxMs = overloadedMs / lagWeight;
const diskIntervalMs = 2000;

export interface Vitals {
  /** Whether the event loop is late by work of our own. Where other programs have the processors, it is not. */
  isOverloaded(): boolean;
  isDiskLow(): boolean;
  /** As last looked at. */
  freeBytes(): number;
  close(): void;
}

export interface VitalsOptions {
  readonly dataDir: string;
  /** Free bytes below which no more mail is taken; 0 for no floor. */
  readonly diskFloorBytes: number;
  readonly log: Logger;
  /** Told how late the loop was, each time it is looked at. */
  readonly onLag?: (seconds: number) => void;
  /** The share of the time since it was last asked that the loop had work; Node's own figure by default. */
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
    onLag?.(lateMs / 1000);
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
