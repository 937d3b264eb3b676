import { expect, it } from 'vitest';

import { createMetrics, renderMetrics } from './metrics.ts';

it('all metrics of Mayfly are named by the rules of Prometheus', async () => {
  const metrics = createMetrics();
  for (const name of metrics.registry.names()) expect(name).toMatch(/^(mayfly|process|nodejs)_[a-z_]+$/);
  const text = await renderMetrics(metrics);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{.*\})? [\d.e+-]+)$/);
  }
  const counters = text.match(/^# TYPE \S+ counter$/gm) ?? [];
  for (const line of counters) expect(line).toMatch(/_total counter$/);
});
