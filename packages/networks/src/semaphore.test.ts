import { expect, it } from 'vitest';

import { createGate } from '../../../test/support/gate.ts';
import { createSemaphore } from './semaphore.ts';

it('lets so many run at once and the others in the order they came', async () => {
  const semaphore = createSemaphore(2);
  const gates = Array.from({ length: 6 }, createGate);
  const started: number[] = [];
  const runs = gates.map((gate, index) =>
    semaphore.run(async () => {
      started.push(index);
      await gate.pass();
      return index;
    }),
  );
  await gates[1]?.reached;
  expect(started).toEqual([0, 1]);
  gates[1]?.open();
  await gates[2]?.reached;
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.open();
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
});

it('never exceeds its places while one changes hands', async () => {
  const semaphore = createSemaphore(3);
  let running = 0;
  let most = 0;
  const task = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  };
  const chain = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await semaphore.run(task);
  };
  await Promise.all(Array.from({ length: 10 }, chain));
  expect(most).toBe(3);
});

it('gives the place on when a task fails, at once or later, and passes the failure on', async () => {
  const semaphore = createSemaphore(1);
  const fail = (): never => {
    throw new Error('at once');
  };
  const runs = await Promise.allSettled([
    semaphore.run(fail),
    semaphore.run(() => Promise.reject(new Error('later'))),
    semaphore.run(() => Promise.resolve('done')),
  ]);
  expect(runs).toEqual([
    { status: 'rejected', reason: new Error('at once') },
    { status: 'rejected', reason: new Error('later') },
    { status: 'fulfilled', value: 'done' },
  ]);
});
