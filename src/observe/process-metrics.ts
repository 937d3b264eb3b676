// Metrics of the process: memory, processor time, descriptors. Updated on request.

import { readdir } from 'node:fs/promises';

import { codeOf } from '#system-errors/error-code';
import type { Metrics } from './metrics.ts';

export function collectProcess(metrics: Metrics, version: string): void {
  metrics.build.of(version, process.version).value = 1;
  metrics.startedAt.of().value = Math.round((Date.now() - process.uptime() * 1000) / 1000);
  metrics.registry.onCollect(async () => {
    const { user, system } = process.cpuUsage();
    metrics.cpu.of().value = (user + system) / 1e6;
    const { rss, heapUsed, external } = process.memoryUsage();
    metrics.residentBytes.of().value = rss;
    metrics.heapBytes.of().value = heapUsed;
    metrics.externalBytes.of().value = external;
    metrics.openFiles.of().value = await countOpenFiles();
  });
}

/** Returns 0 when the system does not report it. */
async function countOpenFiles(): Promise<number> {
  try {
    return (await readdir('/proc/self/fd')).length;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
