import { expect, it } from 'vitest';

import { StatementHealth } from './statement-health.ts';

const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });

function open() {
  let now = 0;
  const changes: boolean[] = [];
  const health = new StatementHealth({
    onChange: (isServing) => changes.push(isServing),
    proof: 'deliver',
    clock: () => now,
  });
  return { health, changes, advance: (ms: number) => (now += ms) };
}

it('fails once a statement has failed twice in a row, until it succeeds', () => {
  const { health, changes } = open();
  health.recordError('find', timeout);
  health.recordSuccess('find');
  health.recordError('find', timeout);
  expect(health.isServing).toBe(true);
  health.recordError('find', timeout);
  health.recordSuccess('list');
  expect(health.isServing).toBe(false);
  health.recordSuccess('find');
  expect(health.isServing).toBe(true);
  expect(changes).toEqual([false, true]);
});

it('ignores errors of the caller, and failures of statements that are no longer tried', () => {
  const { health, advance } = open();
  for (let count = 0; count < 3; count++) health.recordError('find', new TypeError('wrong'));
  for (let count = 0; count < 3; count++) health.recordError('find', { code: '23505' });
  expect(health.isServing).toBe(true);
  for (let count = 0; count < 2; count++) health.recordError('find', { code: 'unavailable' });
  expect(health.isServing).toBe(false);
  advance(15_001);
  expect(health.isServing).toBe(true);
});

it('fails from an outage until the proof of its end, whatever else succeeds', () => {
  const { health, changes } = open();
  health.recordError('list', timeout);
  health.recordError('list', timeout);
  health.recordOutage(timeout);
  health.recordSuccess('find');
  expect(health.isServing).toBe(false);
  health.recordSuccess('deliver');
  expect(health.isServing).toBe(true);
  expect(changes).toEqual([false, true]);
});
