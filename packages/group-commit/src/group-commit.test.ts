import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { failAt, failing, ioError, openRows, setUp } from '../test/group-commit-fixture.ts';
import { messageOf } from '../../system-errors/src/error-message.ts';

describe('a group', () => {
  it('shares one commit and answers each write in its turn', async () => {
    const { commits, seen, insert, values } = setUp();
    const writes = ['a', 'b', 'c'].map((value) => commits.write(insert(value)));
    expect(values()).toEqual([]);
    expect(await Promise.all(writes)).toEqual(['a', 'b', 'c']);
    expect(values()).toEqual(['a', 'b', 'c']);
    expect(seen.commits).toBe(1);
  });

  it('loses only the write that throws', async () => {
    const { database, commits, insert, values } = setUp();
    const writes = [commits.write(insert('a')), commits.write(failing(database)), commits.write(insert('c'))];
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(writes[1]).rejects.toThrow('poisoned');
    expect(values()).toEqual(['a', 'c']);
    expect(await commits.write(insert('d'))).toBe('d');
  });

  it('answers no write before the commit', async () => {
    const database = openRows();
    const { commits, insert } = setUp({ database: failAt(database, 'COMMIT', new Error('no commit')) });
    await expect(commits.write(insert('a'))).rejects.toThrow('no commit');
    expect(database.inTransaction).toBe(false);
  });

  it('takes writes that are made while another is answered into the next one', async () => {
    const { commits, seen, insert, values } = setUp();
    await commits.write(insert('a')).then(() => commits.write(insert('b')));
    expect(values()).toEqual(['a', 'b']);
    expect(seen.commits).toBe(2);
  });
});

describe('the sync of a commit', () => {
  type Callback = (error: Error | null) => void;

  /** Syncs are done when the test says so. */
  function setUpHeld() {
    const held: Callback[] = [];
    const progress = { current: 1, synced: 0 };
    const parts = setUp({ progress, sync: (callback) => void held.push(callback) });
    const answered: string[] = [];
    const write = (value: string): void => {
      parts.commits.write(parts.insert(value)).then(
        () => answered.push(value),
        (error: unknown) => answered.push(`${value}: ${messageOf(error)}`),
      );
    };
    return { ...parts, held, progress, answered, write };
  }

  async function turns(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  it('comes before its answers', async () => {
    const { held, answered, values, write, progress } = setUpHeld();
    write('a');
    await turns();
    expect(values()).toEqual(['a']);
    expect([answered, progress]).toEqual([[], { current: 2, synced: 0 }]);
    held.shift()?.(null);
    await turns();
    expect([answered, progress]).toEqual([['a'], { current: 2, synced: 1 }]);
  });

  it('lets the next group gather, and covers only what was committed before it began', async () => {
    const { commits, held, answered, values, write } = setUpHeld();
    write('a');
    await turns();
    write('b');
    await turns();
    write('c');
    await turns();
    expect(values()).toEqual(['a']);
    commits.flush();
    held.shift()?.(null);
    await turns();
    expect(answered).toEqual(['a']);
    expect(held).toHaveLength(1);
    held.shift()?.(null);
    await turns();
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  it('that fails answers nothing, is not tried again and ends all writing', async () => {
    const { commits, held, answered, seen, write, progress } = setUpHeld();
    write('a');
    await turns();
    const reader = commits.synced(1);
    held.shift()?.(ioError());
    await expect(reader).rejects.toThrow('disk I/O error');
    await expect(commits.write(() => 1)).rejects.toThrow('disk I/O error');
    await expect(commits.synced(1)).rejects.toThrow('disk I/O error');
    await commits.settle();
    expect(answered).toEqual(['a: disk I/O error']);
    expect([held.length, seen.broken.length, progress.synced]).toEqual([0, 1, 0]);
  });

  it('is what readers and the close wait for', async () => {
    const { commits, held, write } = setUpHeld();
    const order: string[] = [];
    write('a');
    await turns();
    write('b');
    commits.synced(1).then(() => order.push('first is on disk'), String);
    commits.settle().then(() => order.push('settled'), String);
    await turns();
    expect(order).toEqual([]);
    held.shift()?.(null);
    await turns();
    expect(order).toEqual(['first is on disk']);
    held.shift()?.(null);
    await turns();
    expect(order).toEqual(['first is on disk', 'settled']);
  });
});

describe('writes that are expected', () => {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  function freezeTime(): void {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  }

  it('are waited for and share the commit', async () => {
    freezeTime();
    const { commits, seen, insert, values } = setUp({ writesExpected: () => 3 });
    const writes = [commits.write(insert('a'))];
    await nextTurn();
    writes.push(commits.write(insert('b')));
    await nextTurn();
    expect(values()).toEqual([]);
    writes.push(commits.write(insert('c')));
    await Promise.all(writes);
    expect(seen.commits).toBe(1);
  });

  it('are not waited for longer than a few milliseconds', async () => {
    freezeTime();
    const { commits, insert, values } = setUp({ writesExpected: () => 1000 });
    const write = commits.write(insert('a'));
    await nextTurn();
    expect(values()).toEqual([]);
    vi.advanceTimersByTime(5);
    expect(await write).toBe('a');
  });

  it('are none for a lone sender, which does not wait', async () => {
    freezeTime();
    const { commits, insert } = setUp({ writesExpected: () => 1 });
    expect(await commits.write(insert('a'))).toBe('a');
  });
});

describe('writes that join', () => {
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  function holdTimers(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  }

  it('take part in the next commit, before what caused it', async () => {
    holdTimers();
    const { commits, seen, insert, values } = setUp();
    const joined = ['a', 'b'].map((value) => commits.join(insert(value)));
    await turns();
    expect(values()).toEqual([]);
    expect(await commits.write(values)).toEqual(['a', 'b']);
    expect(await Promise.all(joined)).toEqual(['a', 'b']);
    expect(seen.commits).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cause one commit a second when nothing else does', async () => {
    holdTimers();
    const { commits, seen, insert } = setUp();
    const first = commits.join(insert('a'));
    vi.advanceTimersByTime(999);
    const second = commits.join(insert('b'));
    await turns();
    expect(seen.commits).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
    const third = commits.join(insert('c'));
    vi.advanceTimersByTime(1000);
    await third;
    expect(seen.commits).toBe(2);
  });

  it('are not gathered in large numbers', async () => {
    holdTimers();
    const { commits, seen, insert } = setUp();
    await Promise.all(Array.from({ length: 100 }, (_, at) => commits.join(insert(`${at}`))));
    expect(seen.commits).toBe(1);
  });

  it('wait out a pause', async () => {
    holdTimers();
    let isPaused = true;
    const { commits, insert, values } = setUp({ isPaused: () => isPaused });
    const joined = commits.join(insert('a'));
    vi.advanceTimersByTime(5000);
    expect(values()).toEqual([]);
    isPaused = false;
    commits.flush();
    expect(await joined).toBe('a');
  });

  it('fail alone', async () => {
    const { database, commits, insert, values } = setUp();
    const joined = commits.join(failing(database));
    const writes = [expect(joined).rejects.toThrow('poisoned'), commits.write(insert('a'))];
    await Promise.all(writes);
    expect(values()).toEqual(['a']);
  });

  it('are refused after an I/O error', async () => {
    const { commits, insert } = setUp({ database: failAt(openRows(), 'COMMIT', ioError()) });
    await expect(commits.write(insert('a'))).rejects.toThrow();
    await expect(commits.join(insert('b'))).rejects.toThrow('disk I/O error');
  });
});

describe('a pause', () => {
  it('holds writes back until they are flushed', async () => {
    let isPaused = true;
    const { commits, seen, insert, values } = setUp({ isPaused: () => isPaused });
    const writes = [commits.write(insert('a'))];
    await new Promise((resolve) => setImmediate(resolve));
    writes.push(commits.write(insert('b')));
    await new Promise((resolve) => setImmediate(resolve));
    expect(values()).toEqual([]);
    isPaused = false;
    commits.flush();
    expect(await Promise.all(writes)).toEqual(['a', 'b']);
    expect(seen.commits).toBe(1);
  });
});

describe('an I/O error', () => {
  it('fails the whole group without a second try, tells once, and refuses every later write', async () => {
    const database = openRows();
    const { commits, seen, insert } = setUp({ database: failAt(database, 'COMMIT', ioError()) });
    let runs = 0;
    const work = (): void => {
      runs += 1;
    };
    const settled = await Promise.allSettled([commits.write(work), commits.write(work)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(2);
    await expect(commits.write(insert('late'))).rejects.toThrow('disk I/O error');
    expect(seen.broken).toHaveLength(1);
    expect(seen.commits).toBe(0);
  });

  it('in the rollback fails the group as well', async () => {
    const database = openRows();
    const { commits, seen } = setUp({ database: failAt(database, 'ROLLBACK', ioError()) });
    const settled = await Promise.allSettled([commits.write(failing(database)), commits.write(() => 1)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seen.broken).toHaveLength(1);
  });

  it('is not what a full disk or a broken constraint is', async () => {
    const { database, commits, seen, insert } = setUp();
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true }) as number}`);
    await expect(commits.write(insert('x'.repeat(100_000)))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: 'SQLITE_FULL' },
    });
    await expect(commits.write(() => database.exec('INSERT INTO rows VALUES (NULL)'))).rejects.toThrow(
      'NOT NULL',
    );
    expect(seen.broken).toEqual([]);
    expect(await commits.write(insert('small'))).toBe('small');
  });
});

it('refuses writes once the database is closed', async () => {
  const { database, commits, insert } = setUp();
  database.close();
  await expect(commits.write(insert('a'))).rejects.toThrow('not open');
});
