// The pool with worker threads that misbehave on request: what is slow, dies or eats memory costs only its own request.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkerPool } from './worker-pool.ts';

type Request = { do: 'echo'; value: string } | { do: 'tell' | 'hang' | 'exit' | 'throw' | 'eat' | 'fail' };

const script = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (request) => {
    if (request.do === 'hang') for (;;);
    if (request.do === 'exit') process.exit(3);
    if (request.do === 'throw') throw new Error('thrown');
    if (request.do === 'eat') for (const kept = []; ; ) kept.push(new Array(1000).fill({}));
    if (request.do === 'fail') parentPort.postMessage({ kind: 'error', message: 'said no' });
    else parentPort.postMessage({ kind: 'answer', answer: request.value ?? 'thread ' + threadId });
  });
  parentPort.postMessage({ kind: 'ready' });
`;
const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
const pools: WorkerPool<Request, string>[] = [];

function createPool(
  options: { timeBudgetMs?: number; workers?: number; maxQueued?: number; idleMs?: number } = {},
) {
  const pool = new WorkerPool<Request, string>({
    workerUrl,
    timeBudgetMs: options.timeBudgetMs ?? 30_000,
    workers: options.workers ?? 1,
    maxQueued: options.maxQueued ?? 100,
    idleMs: options.idleMs ?? 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  pools.push(pool);
  return pool;
}

const echo = (value: string): Request => ({ do: 'echo', value });
const answer = (value: string) => ({ kind: 'answer', answer: value });

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('WorkerPool', () => {
  it('answers many requests with few threads', async () => {
    const pool = createPool({ workers: 2 });
    const values = Array.from({ length: 50 }, (_, i) => String(i));
    await expect(Promise.all(values.map((value) => pool.run(echo(value), [])))).resolves.toEqual(
      values.map(answer),
    );
  });

  it('has a thread ready before the first request, and keeps it as long as it is expected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pool = createPool({ idleMs: 1_000 });
    pool.warm();
    const first = await pool.run({ do: 'tell' }, []);
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(999);
      pool.warm();
    }
    expect(await pool.run({ do: 'tell' }, [])).toEqual(first);
    vi.advanceTimersByTime(1_000);
    expect(await pool.run({ do: 'tell' }, [])).not.toEqual(first);
  });

  it('ends a thread that takes too long, and loses nothing that waits behind it', async () => {
    const pool = createPool({ timeBudgetMs: 500 });
    const slow = pool.run({ do: 'hang' }, []);
    const waiting = [pool.run(echo('a'), []), pool.run(echo('b'), [])];
    await expect(slow).resolves.toEqual({ kind: 'failed', cause: 'slow', detail: 'took longer than 0.5 s' });
    await expect(Promise.all(waiting)).resolves.toEqual([answer('a'), answer('b')]);
  });

  it.each([
    ['exit', 'exit code 3'],
    ['throw', 'thrown'],
    ['fail', 'said no'],
  ] as const)('goes on after a thread that ends by %s', async (what, detail) => {
    const pool = createPool();
    const [broken, next] = await Promise.all([pool.run({ do: what }, []), pool.run(echo('next'), [])]);
    expect(broken).toEqual({ kind: 'failed', cause: 'crashed', detail });
    expect(next).toEqual(answer('next'));
  });

  it('goes on after a thread that ran out of memory', async () => {
    const pool = createPool();
    await expect(pool.run({ do: 'eat' }, [])).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    await expect(pool.run(echo('next'), [])).resolves.toEqual(answer('next'));
  });

  it('refuses what does not fit in the queue', async () => {
    const pool = createPool({ maxQueued: 1 });
    const accepted = [pool.run(echo('runs'), []), pool.run(echo('waits'), [])];
    await expect(pool.run(echo('too many'), [])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(Promise.all(accepted)).resolves.toEqual([answer('runs'), answer('waits')]);
  });

  it('keeps a thread for the next request, and ends it when it was idle for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pool = createPool({ idleMs: 1_000 });
    const first = await pool.run({ do: 'tell' }, []);
    vi.advanceTimersByTime(999);
    expect(await pool.run({ do: 'tell' }, [])).toEqual(first);
    vi.advanceTimersByTime(1_000);
    expect(await pool.run({ do: 'tell' }, [])).not.toEqual(first);
  });

  it('fails what runs and refuses what waits when it is closed', async () => {
    const pool = createPool();
    const running = pool.run({ do: 'hang' }, []);
    const waiting = pool.run(echo('a'), []);
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await pool.close();
    await expect(running).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    await refused;
    await expect(pool.run(echo('b'), [])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails requests, and does not hang, when the worker file does not exist', async () => {
    const pool = new WorkerPool<Request, string>({
      workerUrl: new URL('./no-such-worker.js', import.meta.url),
      timeBudgetMs: 1_000,
      workers: 1,
      maxQueued: 1,
      idleMs: 1_000,
      resourceLimits: {},
    });
    pools.push(pool);
    await expect(pool.run(echo('a'), [])).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
  });
});
