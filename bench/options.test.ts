import { describe, expect, it } from 'vitest';

import { parseOptions } from './options.ts';

describe('parseOptions', () => {
  it('measures everything when nothing is named', () => {
    expect(parseOptions([]).groups).toEqual(['smtp', 'latency', 'http', 'live', 'footprint']);
    expect(parseOptions(['--store', 'postgres']).groups).toContain('processes');
  });

  it('takes groups in one list or several, in the order of measuring', () => {
    expect(parseOptions(['--only', 'http,smtp']).groups).toEqual(['smtp', 'http']);
    expect(parseOptions(['--only', 'footprint', '--only', 'smtp']).groups).toEqual(['smtp', 'footprint']);
  });

  it('runs shorter when quick and watches latency for a minute when long', () => {
    expect(parseOptions(['--quick']).scale).toBeLessThan(parseOptions([]).scale);
    expect(parseOptions(['--long']).latencySeconds).toBe(60);
  });

  it('takes a growth run by its size, on either store', () => {
    const options = parseOptions(['--growth', '100000', '--store', 'postgres']);
    expect(options).toMatchObject({ groups: ['growth'], growthSessions: 100_000, store: 'postgres' });
  });

  it('takes a Citus cluster for a growth run on PostgreSQL', () => {
    const citusUrl = 'postgres://postgres@127.0.0.1:5432/mayfly';
    const args = ['--growth', '100000', '--store', 'postgres', '--citus', citusUrl];
    expect(parseOptions(args)).toMatchObject({ store: 'postgres', citusUrl });
    expect(() => parseOptions(args.with(-1, 'coordinator'))).toThrow(/--citus takes a URL/);
    expect(() => parseOptions(args.with(3, 'sqlite'))).toThrow(/--citus needs --store postgres/);
    expect(() => parseOptions(['--citus', citusUrl])).toThrow(/--citus needs --growth/);
  });

  it('compares with another build, or with peers, and measures nothing else then', () => {
    const options = parseOptions(['--against', '0c16041=/build/service-1', '--quick']);
    expect(options).toMatchObject({
      groups: ['builds'],
      against: { name: '0c16041', build: '/build/service-1' },
    });
    expect(parseOptions(['--peers', '/build/peers'])).toMatchObject({
      groups: ['builds'],
      peersFolder: '/build/peers',
    });
    expect(parseOptions(['--only', 'builds'])).toMatchObject({ groups: ['builds'], against: undefined });
    expect(parseOptions(['--only', 'page', '--against', 'a=b'])).toMatchObject({ groups: ['page'] });
    expect(() => parseOptions(['--against', 'a=b', '--only', 'http'])).toThrow(/measures only builds/);
    expect(() => parseOptions(['--peers', '/peers', '--only', 'page'])).toThrow(/--peers only builds/);
  });

  it.each([
    ['--only', 'imap'],
    ['--against', 'main'],
    ['--only', 'processes'],
    ['--store', 'mysql'],
    ['--growth', 'many'],
    ['--fast'],
    ['--quick', '--long'],
    ['stray'],
  ])('refuses %s %s with the usage', (...args) => {
    expect(() => parseOptions(args)).toThrow(/npm run bench/);
  });
});
