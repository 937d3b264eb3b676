import { describe, expect, it } from 'vitest';

import { MetricRegistry } from './metric-registry.ts';

describe('the text', () => {
  it('has help, type and a line for each combination of labels', async () => {
    const registry = new MetricRegistry();
    const sent = registry.counter('sent_total', 'Sent.', 'to', 'how');
    sent.of('a', 'b').value += 1;
    sent.of('a', 'b').value += 1;
    sent.of('x"\\\n', 'c').value += 5;
    registry.gauge('open', 'Open.').of().value = 3;
    expect(await registry.render()).toBe(
      '# HELP sent_total Sent.\n# TYPE sent_total counter\n' +
        'sent_total{to="a",how="b"} 2\nsent_total{to="x\\"\\\\\\n",how="c"} 5\n' +
        '# HELP open Open.\n# TYPE open gauge\nopen 3\n',
    );
  });

  it('shows a counter without labels from the start', async () => {
    const registry = new MetricRegistry();
    registry.counter('sent_total', 'Sent.');
    expect(await registry.render()).toContain('\nsent_total 0\n');
  });

  it('counts an observation in its bucket and in every larger one', async () => {
    const registry = new MetricRegistry();
    const histogram = registry.histogram('took_seconds', 'Took.');
    for (const seconds of [0.0005, 0.002, 3, 1000]) histogram.observe(seconds);
    const text = await registry.render();
    expect(text).toContain('took_seconds_bucket{le="0.0005"} 1\n');
    expect(text).toContain('took_seconds_bucket{le="0.001"} 1\n');
    expect(text).toContain('took_seconds_bucket{le="0.0025"} 2\n');
    expect(text).toContain('took_seconds_bucket{le="10"} 3\n');
    expect(text).toContain('took_seconds_bucket{le="+Inf"} 4\n');
    expect(text).toContain('took_seconds_sum 1003.0025\ntook_seconds_count 4\n');
  });

  it('is made of what collectors set at that moment', async () => {
    const registry = new MetricRegistry();
    const gauge = registry.gauge('open', 'Open.').of();
    registry.onCollect(async () => {
      await Promise.resolve();
      gauge.value += 1;
    });
    expect(await registry.render()).toContain('open 1\n');
    expect(await registry.render()).toContain('open 2\n');
  });
});

it('no family grows beyond its bound: further combinations are counted as `other`', async () => {
  const registry = new MetricRegistry();
  const counter = registry.counter('sent_total', 'Sent.', 'to');
  const histograms = registry.histograms('took_seconds', 'Took.', 'route');
  for (let number = 0; number < 5000; number++) {
    counter.of(String(number)).value += 1;
    histograms.of(String(number)).observe(1);
  }
  const text = await registry.render();
  expect(text.match(/^sent_total\{/gm)?.length).toBe(501);
  expect(text).toContain('sent_total{to="other"} 4500\n');
  expect(text).toContain('took_seconds_count{route="other"} 4500\n');
});

it('a name is given once', () => {
  const registry = new MetricRegistry();
  registry.counter('sent_total', 'Sent.');
  expect(() => registry.gauge('sent_total', 'Again.')).toThrow('sent_total');
});
