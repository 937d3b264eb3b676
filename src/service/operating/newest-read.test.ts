import { expect, it } from 'vitest';

import { createBlockList } from './block-list.ts';
import type { Block } from '../../store/block-store.ts';
import { createNewestRead } from './newest-read.ts';

/** Reads that end on request. */
function createReads<T>() {
  const waiting: ((value: T) => void)[] = [];
  const read = (): Promise<T> => new Promise((resolve) => waiting.push(resolve));
  return { read, end: (at: number, value: T) => waiting[at]?.(value) };
}

it('keeps what the read that began last brought, in whatever order they end', async () => {
  const { read, end } = createReads<string>();
  const kept: string[] = [];
  const reload = createNewestRead(read, (value) => kept.push(value));
  const reads = [reload(), reload(), reload()];
  end(1, 'second');
  await reads[1];
  end(0, 'first, from before a change');
  await reads[0];
  end(2, 'third');
  await reads[2];
  expect(kept).toEqual(['second', 'third']);
});

it('goes on after a read that failed', async () => {
  let isFailing = true;
  const kept: string[] = [];
  const reload = createNewestRead(
    () => (isFailing ? Promise.reject(new Error('The store is away.')) : Promise.resolve('read')),
    (value) => kept.push(value),
  );
  await expect(reload()).rejects.toThrow('The store is away.');
  isFailing = false;
  await reload();
  expect(kept).toEqual(['read']);
});

it('lets no block be forgotten for a list that was read before it was made', async () => {
  const { read, end } = createReads<Block[]>();
  let isFirst = true;
  const list = await createBlockList({
    blocks: {
      listBlocks: () => {
        if (!isFirst) return read();
        isFirst = false;
        return Promise.resolve([]);
      },
      addBlock: () => Promise.resolve(),
      removeBlock: () => Promise.resolve(true),
    },
    onError: (error) => {
      throw error;
    },
  });
  const [timed, changed] = [list.reload(), list.reload()];
  end(1, [{ kind: 'sender', value: 'spam.example', note: '', createdAt: 1 }]);
  await changed;
  expect(list.isSenderBlocked('x@spam.example')).toBe(true);
  end(0, []);
  await timed;
  expect(list.isSenderBlocked('x@spam.example')).toBe(true);
  list.close();
});
