import { expect, it } from 'vitest';

import { addUp, writeRegularly } from './regular-writer.ts';

interface Entry {
  readonly count: number;
  readonly name: string;
  readonly sample: string;
}

const waitingMax = 2000;

function open() {
  const state = { isAway: false, counted: [] as Entry[] };
  const written: (readonly Entry[])[] = [];
  const errors: unknown[] = [];
  const writer = writeRegularly<Entry>({
    everyMs: 3_600_000,
    take: () => state.counted.splice(0),
    keyOf: ({ name }) => name,
    join: addUp,
    waitingMax,
    write: (entries) => {
      if (state.isAway) return Promise.reject(new Error('away'));
      written.push(entries);
      return Promise.resolve();
    },
    onError: (error) => errors.push(error),
  });
  return { state, written, errors, writer };
}

it('writes what was counted while the store was away, added up, once it is back', async () => {
  const { state, written, errors, writer } = open();
  state.isAway = true;
  for (const count of [1, 2]) {
    state.counted.push({ name: 'a', sample: `no. ${count}`, count });
    await writer.flush();
  }
  expect(errors).toHaveLength(2);
  state.isAway = false;
  state.counted.push({ name: 'b', sample: 'new', count: 5 });
  await writer.flush();
  expect(written).toEqual([
    [
      { name: 'a', sample: 'no. 2', count: 3 },
      { name: 'b', sample: 'new', count: 5 },
    ],
  ]);
  await writer.close();
  expect(written).toHaveLength(1);
});

it('lets no more wait than it may, and goes on counting what waits', async () => {
  const { state, written, writer } = open();
  state.isAway = true;
  for (const round of [1, 2]) {
    for (let at = 0; at < waitingMax + 10; at += 1) {
      state.counted.push({ name: `n${at * round}`, sample: '', count: 1 });
    }
    await writer.flush();
  }
  state.isAway = false;
  await writer.close();
  expect(written[0]).toHaveLength(waitingMax);
  expect(written[0]!.find(({ name }) => name === 'n0')?.count).toBe(2);
});
