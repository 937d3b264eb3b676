import { expect, it } from 'vitest';

import { loadConfig } from './load-config.ts';

it('traces are off by default', () => {
  expect(loadConfig({}).traces).toEqual({ url: '', sample: 1 });
});

it.each(['http://127.0.0.1:4318/v1/traces', 'https://collector.example.org/v1/traces', 'http://[::1]:4318/'])(
  'takes %s',
  (url) => {
    expect(loadConfig({ MAYFLY_TRACES_URL: url }).traces.url).toBe(url);
  },
);

it.each(['collector:4318', 'grpc://collector:4317', 'http://', 'http://user:password@collector/', 'on'])(
  'refuses %s with a line that names the variable',
  (url) => {
    expect(() => loadConfig({ MAYFLY_TRACES_URL: url })).toThrow(
      /^MAYFLY_TRACES_URL must be an http or https URL/,
    );
  },
);

it.each(['0', '1', '0.05', '1.0'])('takes %s for a share', (sample) => {
  expect(loadConfig({ MAYFLY_TRACES_SAMPLE: sample }).traces.sample).toBe(Number(sample));
});

it.each(['2', '1.5', '-1', '5%', 'all', '1e-3', '0x1'])('refuses %s for a share', (sample) => {
  expect(() => loadConfig({ MAYFLY_TRACES_SAMPLE: sample })).toThrow(
    /^MAYFLY_TRACES_SAMPLE must be a number/,
  );
});
