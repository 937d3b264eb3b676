import { expect, it } from 'vitest';

import { CircuitBreakers } from './circuit-breakers.ts';

function createAt() {
  const clock = { now: 1000 };
  const breakers = new CircuitBreakers(() => clock.now);
  const fail = (times: number): void => {
    for (let count = 0; count < times; count++) {
      expect(breakers.begin(1)).toBe(true);
      breakers.end(1, false);
    }
  };
  return { clock, breakers, fail };
}

it('lets no more than eight go to one endpoint at once, and others beside it', () => {
  const { breakers } = createAt();
  expect(Array.from({ length: 9 }, () => breakers.begin(1))).toEqual([
    ...Array<boolean>(8).fill(true),
    false,
  ]);
  expect(breakers.begin(2)).toBe(true);
  expect([breakers.room(1), breakers.room(2), breakers.room(3)]).toEqual([0, 7, 8]);
  breakers.end(1, true);
  expect(breakers.begin(1)).toBe(true);
});

it('opens after five failures in a row, and one success starts the count anew', () => {
  const { breakers, fail } = createAt();
  fail(4);
  breakers.begin(1);
  breakers.end(1, true);
  fail(5);
  expect([breakers.begin(1), breakers.room(1)]).toEqual([false, 0]);
});

it('lets a single one through after the pause, which doubles up to five minutes while that fails', () => {
  const { clock, breakers, fail } = createAt();
  fail(5);
  for (const pauseMs of [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
    clock.now += pauseMs - 1;
    expect(breakers.begin(1)).toBe(false);
    clock.now += 1;
    expect([breakers.begin(1), breakers.begin(1)]).toEqual([true, false]);
    breakers.end(1, false);
  }
  clock.now += 300_000;
  breakers.begin(1);
  breakers.end(1, true);
  expect([breakers.begin(1), breakers.begin(1)]).toEqual([true, true]);
});

it('counts what was in flight when it opened as one', () => {
  const { clock, breakers } = createAt();
  for (let count = 0; count < 8; count++) breakers.begin(1);
  for (let count = 0; count < 8; count++) breakers.end(1, false);
  clock.now += 10_000;
  expect(breakers.begin(1)).toBe(true);
});

it('tells how long an endpoint rests', () => {
  const { breakers, fail } = createAt();
  fail(4);
  breakers.begin(1);
  expect(breakers.end(1, false)).toBe(10_000);
});

it('forgets a failing endpoint that is used no more', () => {
  const { clock, breakers, fail } = createAt();
  fail(5);
  clock.now += 60 * 60_000;
  breakers.forgetIdle();
  expect(breakers.room(1)).toBe(1);
  clock.now += 60 * 60_000;
  breakers.forgetIdle();
  expect(breakers.room(1)).toBe(8);
});

it('keeps nothing of endpoints that are well', () => {
  const { breakers } = createAt();
  breakers.begin(1);
  breakers.end(1, true);
  expect(breakers.end(1, true)).toBe(0);
  expect(breakers.room(1)).toBe(8);
});
