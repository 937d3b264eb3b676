import { describe, expect, it, vi } from 'vitest';

import { failing, setUp } from '../test/group-commit-fixture.ts';

describe('a loose write', () => {
  /** Syncs are done when the test says so. */
  function setUpHeld() {
    const held: ((error: Error | null) => void)[] = [];
    const progress = { current: 1, synced: 0 };
    return { ...setUp({ progress, sync: (callback) => void held.push(callback) }), held, progress };
  }

  it('is answered once it is committed, and causes no sync', async () => {
    const { commits, held, values, insert, progress } = setUpHeld();
    expect(await Promise.all([commits.writeLoosely(insert('a')), commits.writeLoosely(insert('b'))])).toEqual(
      ['a', 'b'],
    );
    expect(values()).toEqual(['a', 'b']);
    expect([held.length, progress]).toEqual([0, { current: 2, synced: 0 }]);
  });

  it('is on disk with the next write', async () => {
    const { commits, held, insert, progress } = setUpHeld();
    await commits.writeLoosely(insert('a'));
    const written = commits.write(insert('b'));
    await vi.waitUntil(() => held.length === 1, 60_000);
    held[0]?.(null);
    expect(await written).toBe('b');
    expect(progress).toEqual({ current: 3, synced: 2 });
  });

  it('does not wait for a sync in progress, which does not cover it', async () => {
    const { commits, held, insert, progress } = setUpHeld();
    const written = commits.write(insert('a'));
    await vi.waitUntil(() => held.length === 1, 60_000);
    expect(await commits.writeLoosely(insert('b'))).toBe('b');
    held[0]?.(null);
    await written;
    expect([held.length, progress]).toEqual([1, { current: 3, synced: 1 }]);
  });

  it('is synced at once for a reader that waits for its commit', async () => {
    const { commits, held, insert } = setUpHeld();
    await commits.writeLoosely(insert('a'));
    const synced = commits.synced(1);
    expect(held).toHaveLength(1);
    held[0]?.(null);
    await synced;
  });

  it('is synced for a reader that asks during a sync, right after that', async () => {
    const { commits, held, insert } = setUpHeld();
    const written = commits.write(insert('a'));
    await vi.waitUntil(() => held.length === 1, 60_000);
    await commits.writeLoosely(insert('b'));
    const synced = commits.synced(2);
    held[0]?.(null);
    await written;
    expect(held).toHaveLength(2);
    held[1]?.(null);
    await synced;
  });

  it('is on disk within a second, and before the close', async () => {
    const { commits, held, insert, progress } = setUpHeld();
    await commits.writeLoosely(insert('a'));
    await vi.waitUntil(() => held.length === 1, 60_000);
    held[0]?.(null);
    await commits.writeLoosely(insert('b'));
    const settled = commits.settle();
    held[1]?.(null);
    await settled;
    expect(progress).toEqual({ current: 3, synced: 2 });
  });

  it('waits while writes are held back, and fails alone', async () => {
    let isPaused = true;
    const { database, commits, insert, values } = setUp({ isPaused: () => isPaused });
    const writes = [commits.writeLoosely(insert('a')), commits.writeLoosely(failing(database))];
    await new Promise((resolve) => setImmediate(resolve));
    expect([values(), commits.waiting.count]).toEqual([[], 2]);
    isPaused = false;
    commits.flush();
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(values()).toEqual(['a']);
  });
});
