// Collects today's kept statistics for the metrics. Part of the composition root, called by app.ts.

import type { Metrics } from '../observe/metrics.ts';
import { readStatistics, type ReadStatisticsDeps } from '../service/operating/read-statistics.ts';

const dayMs = 86_400_000;
/** They are written once a minute. */
const readEveryMs = 15_000;
/** The text of a label is cut there; two of a name would be an error of the whole exposition. */
const labelMaxLength = 200;

export interface CollectTodayParts extends ReadStatisticsDeps {
  readonly isReady: () => boolean;
}

export function collectToday(metrics: Metrics, { isReady, ...deps }: CollectTodayParts): void {
  let readAt = -Infinity;
  metrics.registry.onCollect(async () => {
    if (!isReady() || performance.now() - readAt < readEveryMs) return;
    readAt = performance.now();
    const { points, causes, senders } = await readStatistics(deps, 'day', deps.now() % dayMs);
    const today = points.at(-1);
    metrics.todayReceived.of().value = today?.received ?? 0;
    metrics.todayBytes.of().value = today?.bytes ?? 0;
    metrics.todayRefused.of().value = today?.refused ?? 0;
    metrics.todayDeferred.of().value = today?.deferred ?? 0;
    metrics.todaySessions.of().value = today?.sessions ?? 0;
    metrics.todayCauses.clear();
    for (const { name, count } of causes) metrics.todayCauses.of(name).value = count;
    metrics.todaySenders.clear();
    for (const { name, count } of senders) {
      metrics.todaySenders.of(name.slice(0, labelMaxLength)).value += count;
    }
  });
}
