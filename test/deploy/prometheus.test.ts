// Alert rules, dashboard and metrics as Prometheus' own tool reads them.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { createMetrics } from '../../src/observe/metrics.ts';

const rulesFile = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url));

/** Returns the output. @throws Error with promtool's complaint */
function promtool(args: readonly string[], input = ''): string {
  return execFileSync('promtool', args, { encoding: 'utf8', input, stdio: 'pipe' });
}

function fileWith(name: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-promtool-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Returns rules that record each query of the dashboard, with Grafana's variables filled in. */
function toRules(dashboard: string): { readonly text: string; readonly count: number } {
  const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => {
    const query = JSON.parse(text ?? '') as string;
    return query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
  });
  const rules = queries.map((expr, at) => ({ record: `dashboard:${at}`, expr }));
  return { text: JSON.stringify({ groups: [{ name: 'dashboard', rules }] }), count: rules.length };
}

/** A client guesses addresses that were never lent, ten a second, against one real message a second. */
const guessing = {
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: [
    {
      interval: '1m',
      input_series: [
        { series: 'mayfly_smtp_recipients_total{instance="mx",outcome="unknown"}', values: '0+900x60' },
        { series: 'mayfly_smtp_recipients_total{instance="mx",outcome="foreign"}', values: '0+300x60' },
        { series: 'mayfly_smtp_recipients_total{instance="mx",outcome="accepted"}', values: '0+60x60' },
      ],
      alert_rule_test: [
        { eval_time: '10m', alertname: 'MayflyManyUnknownRecipients', exp_alerts: [] },
        {
          eval_time: '60m',
          alertname: 'MayflyManyUnknownRecipients',
          exp_alerts: [
            {
              exp_labels: { severity: 'ticket', instance: 'mx' },
              exp_annotations: { summary: 'Somebody guesses addresses on mx, or a domain was lost' },
            },
          ],
        },
      ],
    },
  ],
};

it('accepts the alert rules', () => {
  const rules = readFileSync(rulesFile, 'utf8').split('- alert: ').length - 1;
  expect(promtool(['check', 'rules', rulesFile])).toContain(`SUCCESS: ${rules} rules found`);
});

it('accepts every query of the dashboard', () => {
  const dashboard = new URL('../../deploy/grafana/mayfly.json', import.meta.url);
  const { text, count } = toRules(readFileSync(dashboard, 'utf8'));
  expect(count).toBeGreaterThan(30);
  expect(promtool(['check', 'rules', fileWith('dashboard.yml', text)])).toContain(`${count} rules found`);
});

it('finds no fault in names, types and help of the metrics', async () => {
  const text = await createMetrics().registry.render();
  expect(text).toContain('# TYPE mayfly_smtp_recipients_total counter');
  expect(promtool(['check', 'metrics'], text)).toBe('');
});

it('alerts the operator to guessed addresses, but not at once', () => {
  const file = fileWith('guessing.yml', JSON.stringify(guessing));
  expect(promtool(['test', 'rules', file])).toContain('SUCCESS');
});
