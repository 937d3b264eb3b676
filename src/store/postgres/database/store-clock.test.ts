import { expect, it } from 'vitest';

import { StoreClock } from './store-clock.ts';

function open(database: () => number, now: () => number | null = () => null) {
  let elapsed = 1000;
  const connections = {
    read: <Row>() => {
      elapsed += 10;
      const rows = [{ now: database() }];
      elapsed += 10;
      return Promise.resolve(rows as Row[]);
    },
  };
  const clock = new StoreClock({ connections, now, elapsed: () => elapsed });
  return { clock, pass: (ms: number) => (elapsed += ms) };
}

it('goes on from what the database said, and follows when that is set', async () => {
  let database = 5_000_000;
  const { clock, pass } = open(() => database);
  await clock.read();
  expect(clock.now()).toBe(5_000_010);
  pass(700);
  expect(clock.now()).toBe(5_000_710);
  database = 4_000_000;
  await clock.read();
  expect(clock.now()).toBe(4_000_010);
});

it('is at the instant set by a test', async () => {
  const { clock } = open(
    () => 5_000_000,
    () => 42,
  );
  await clock.read();
  expect(clock.now()).toBe(42);
});
