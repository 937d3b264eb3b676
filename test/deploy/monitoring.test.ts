// Dashboard and alert rules refer to metrics by name: each must exist.

import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createMetrics } from '../../src/observe/metrics.ts';

function read(file: string): string {
  return readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');
}

function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:mayfly|process|nodejs)_[a-z_]+/g))].sort();
}

/** Includes the names under which a histogram is queried. */
function existing(): Set<string> {
  const names = createMetrics().registry.names();
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
}

describe.each(['prometheus/alerts.yml', 'grafana/mayfly.json'])('%s', (file) => {
  it('names only existing metrics, and many of them', () => {
    const named = metricsIn(read(file));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !existing().has(name))).toEqual([]);
  });
});

it('the dashboard shows every metric', () => {
  const shown = metricsIn(read('grafana/mayfly.json')).map((name) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  const without = [
    'mayfly_disk_low',
    'mayfly_smtp_in_flight_bytes',
    'mayfly_smtp_tls_handshakes_total',
    'process_start_time_seconds',
  ];
  const hidden = createMetrics()
    .registry.names()
    .filter((name) => !shown.includes(name) && !without.includes(name));
  expect(hidden).toEqual([]);
});

it('every alert states the problem and its severity', () => {
  const alerts = read('prometheus/alerts.yml').split('- alert: ').slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    expect(alert).toMatch(/^Mayfly\w+\n\s+expr: /);
    expect(alert).toMatch(/severity: (page|ticket)/);
    expect(alert).toMatch(/summary: '/);
  }
});
