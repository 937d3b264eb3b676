// Collects metrics of what the operator's overview shows. Part of the composition root.

import type { Metrics } from '../../observe/metrics.ts';
import type { Overview } from '../../service/operating/overview.ts';

interface Collected {
  readonly readOverview: () => Promise<Overview>;
  /** Whether the store can be queried. */
  readonly isReachable: () => boolean;
}

export function collectOverview(metrics: Metrics, { readOverview, isReachable }: Collected): void {
  metrics.registry.onCollect(async () => {
    if (!isReachable()) return;
    const { backup, webhooks, pushesWaiting, nodes } = await readOverview();
    metrics.backupAt.of().value = Math.floor((backup?.madeAt ?? 0) / 1000);
    metrics.webhooksQueued.of('waiting').value = webhooks.waiting;
    metrics.webhooksQueued.of('dead').value = webhooks.dead;
    metrics.pushWaiting.of().value = pushesWaiting;
    const alive = nodes.filter(({ isAlive }) => isAlive).length;
    metrics.nodes.of('alive').value = alive;
    metrics.nodes.of('gone').value = nodes.length - alive;
  });
}
