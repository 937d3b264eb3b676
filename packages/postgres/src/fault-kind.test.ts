import { expect, it } from 'vitest';

import { faultKindOf, isOfMachineBehind } from './fault-kind.ts';

it.each([
  ['Citus, of a worker that does not answer', { code: '08006', severity: 'ERROR' }, true],
  ['the same in another language', { code: '08006', severity: 'FEHLER' }, true],
  ['a pooler that cuts the connection', { code: '08P01', severity: 'FATAL' }, false],
  ['the library, of its own connection', { code: 'ECONNRESET' }, false],
  ['a server that shuts down', { code: '57P01', severity: 'FATAL' }, false],
])('distinguishes a machine behind the server: %s', (_, error, isBehind) => {
  expect(faultKindOf(error)).toBe('lost');
  expect(isOfMachineBehind(error)).toBe(isBehind);
});

it.each([undefined, null, {}, new Error('Connection terminated')])(
  'finds no machine behind the server: %s',
  (error) => {
    expect(isOfMachineBehind(error)).toBe(false);
  },
);

it('takes a shard that is just moving for a collision, and other refusals of Citus for faults', () => {
  const message = 'cannot find a worker that has active placements for all shards in the query';
  expect(faultKindOf({ code: '0A000', severity: 'ERROR', message })).toBe('collided');
  expect(faultKindOf({ code: '0A000', severity: 'ERROR', message: 'could not run distributed query' })).toBe(
    'other',
  );
});
