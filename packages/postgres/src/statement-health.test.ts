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
  health.noteError('find', timeout);
  health.noteSuccess('find');
  health.noteError('find', timeout);
  expect(health.isServing).toBe(true);
  health.noteError('find', timeout);
  health.noteSuccess('list');
  expect(health.isServing).toBe(false);
  health.noteSuccess('find');
  expect(health.isServing).toBe(true);
  expect(changes).toEqual([false, true]);
});

it('ignores errors of the caller, and failures of statements that are no longer tried', () => {
  const { health, advance } = open();
  for (let count = 0; count < 3; count++) health.noteError('find', new TypeError('wrong'));
  for (let count = 0; count < 3; count++) health.noteError('find', { code: '23505' });
  expect(health.isServing).toBe(true);
  for (let count = 0; count < 2; count++) health.noteError('find', { code: 'unavailable' });
  expect(health.isServing).toBe(false);
  advance(15_001);
  expect(health.isServing).toBe(true);
});

it('fails from an outage until the proof of its end, whatever else succeeds', () => {
  const { health, changes } = open();
  health.noteError('list', timeout);
  health.noteError('list', timeout);
  health.noteOutage(timeout);
  health.noteSuccess('find');
  expect(health.isServing).toBe(false);
  health.noteSuccess('deliver');
  expect(health.isServing).toBe(true);
  expect(changes).toEqual([false, true]);
});
