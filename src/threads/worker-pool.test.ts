// The pool with worker threads that misbehave on request: what is slow, dies or eats memory costs only its own request.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PooledWorker, type RunOutcome } from './pooled-worker.ts';
import { WorkerPool } from './worker-pool.ts';

type Request =
  { do: 'echo'; value: string } | { do: 'tell' | 'hang' | 'rest' | 'exit' | 'throw' | 'eat' | 'fail' };

const script = `
  import { readlinkSync } from 'node:fs';
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ id, request }) => {
    if (request.do === 'hang') for (;;);
    if (request.do === 'rest') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
    if (request.do === 'exit') process.exit(3);
    if (request.do === 'throw') throw new Error('thrown');
    if (request.do === 'eat') for (const kept = []; ; ) kept.push(new Array(1000).fill({}));
    if (request.do === 'fail') parentPort.postMessage({ kind: 'error', id, detail: 'said no' });
    else parentPort.postMessage({ kind: 'answer', id, answer: request.value ?? 'thread ' + threadId });
  });
  parentPort.postMessage({ kind: 'ready', thread: Number(readlinkSync('/proc/thread-self').split('/').at(-1)) });
`;
const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
const pools: WorkerPool<Request, string>[] = [];

function createPool(
  options: {
    timeBudgetMs?: number;
    workers?: number;
    maxQueued?: number;
    maxWaitMs?: number;
    idleMs?: number;
  } = {},
) {
  const pool = new WorkerPool<Request, string>({
    workerUrl,
    timeBudgetMs: options.timeBudgetMs ?? 30_000,
    workers: options.workers ?? 1,
    maxQueued: options.maxQueued ?? 100,
    maxWaitMs: options.maxWaitMs ?? 60_000,
    idleMs: options.idleMs ?? 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  pools.push(pool);
  return pool;
}

let owners = 0;
/** For an owner who has asked for nothing else. */
function run(pool: WorkerPool<Request, string>, request: Request): Promise<RunOutcome<string>> {
  const name = String(++owners);
  return pool.run({ owner: { session: name, network: name }, request });
}

const echo = (value: string): Request => ({ do: 'echo', value });
const answer = (value: string) => ({ kind: 'answer', answer: value });

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('WorkerPool', () => {
  it('answers many requests with few threads', async () => {
    const pool = createPool({ workers: 2 });
    const values = Array.from({ length: 50 }, (_, i) => String(i));
    await expect(Promise.all(values.map((value) => run(pool, echo(value))))).resolves.toEqual(
      values.map(answer),
    );
  });

  it('has a thread ready before the first request, and keeps it as long as it is expected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pool = createPool({ idleMs: 1_000 });
    pool.warm();
    const first = await run(pool, { do: 'tell' });
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(999);
      pool.warm();
    }
    expect(await run(pool, { do: 'tell' })).toEqual(first);
    vi.advanceTimersByTime(1_000);
    expect(await run(pool, { do: 'tell' })).not.toEqual(first);
  });

  it('keeps a thread as long as it was told to, and starts another when that dies meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const pool = createPool({ idleMs: 1_000 });
    pool.warm(600_000);
    const first = await run(pool, { do: 'tell' });
    vi.advanceTimersByTime(599_000);
    expect(await run(pool, { do: 'tell' })).toEqual(first);
    const started = vi.spyOn(PooledWorker.prototype, 'warm');
    await expect(run(pool, { do: 'exit' })).resolves.toMatchObject({ kind: 'failed' });
    expect(started).toHaveBeenCalledOnce();
    const second = await run(pool, { do: 'tell' });
    expect(second).not.toEqual(first);
    vi.advanceTimersByTime(1_001);
    expect(await run(pool, { do: 'tell' })).not.toEqual(second);
  });

  it('ends a thread that takes too long, and loses nothing that waits behind it', async () => {
    const pool = createPool({ timeBudgetMs: 500 });
    const slow = run(pool, { do: 'hang' });
    const waiting = [run(pool, echo('a')), run(pool, echo('b'))];
    await expect(slow).resolves.toEqual({ kind: 'failed', cause: 'slow', detail: 'took longer than 0.5 s' });
    await expect(Promise.all(waiting)).resolves.toEqual([answer('a'), answer('b')]);
  });

  it('counts processor time and not the clock: a thread that had no processor has lost nothing', async () => {
    const pool = createPool({ timeBudgetMs: 300 });
    await expect(run(pool, { do: 'rest' })).resolves.toMatchObject({ kind: 'answer' });
  });

  it('ends a thread that does nothing at all for many times its budget', async () => {
    const pool = createPool({ timeBudgetMs: 20 });
    await expect(run(pool, { do: 'rest' })).resolves.toMatchObject({ kind: 'failed', cause: 'slow' });
    await expect(run(pool, echo('next'))).resolves.toEqual(answer('next'));
  });

  it('lets one session, or one network, hold one thread of two', async () => {
    const pool = createPool({ workers: 2 });
    const attacks = Promise.allSettled(
      [1, 2, 3].map((n) =>
        pool.run({ owner: { session: String(n), network: 'attack' }, request: { do: 'hang' } }),
      ),
    );
    const same = [1, 2].map(() => pool.run({ owner: { session: 'one', network: 'x' }, request: echo('x') }));
    await expect(Promise.all(same)).resolves.toEqual([answer('x'), answer('x')]);
    // The attack's first still runs: its budget is half a minute.
    await pool.close();
    expect((await attacks).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('answers a stranger after what runs, however much others have waiting', async () => {
    const pool = createPool();
    const order: string[] = [];
    const ask = (session: string) =>
      pool
        .run({ owner: { session, network: session }, request: echo(session) })
        .then(() => order.push(session));
    const all = [...Array.from({ length: 50 }, () => ask('many')), ask('stranger')];
    await Promise.all(all);
    expect(order.indexOf('stranger')).toBeLessThanOrEqual(1);
  });

  it('refuses what no thread could begin in time, and leaves what runs', async () => {
    const pool = createPool({ maxWaitMs: 50 });
    const running = run(pool, { do: 'rest' });
    await expect(run(pool, echo('late'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(running).resolves.toMatchObject({ kind: 'answer' });
  });

  it.each([
    ['exit', 'exit code 3'],
    ['throw', 'thrown'],
    ['fail', 'said no'],
  ] as const)('goes on after a thread that ends by %s', async (what, detail) => {
    const pool = createPool();
    const [broken, next] = await Promise.all([run(pool, { do: what }), run(pool, echo('next'))]);
    expect(broken).toEqual({ kind: 'failed', cause: 'crashed', detail });
    expect(next).toEqual(answer('next'));
  });

  it('goes on after a thread that ran out of memory', async () => {
    const pool = createPool();
    await expect(run(pool, { do: 'eat' })).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    await expect(run(pool, echo('next'))).resolves.toEqual(answer('next'));
  });

  it('refuses what does not fit in the queue', async () => {
    const pool = createPool({ maxQueued: 1 });
    const accepted = [run(pool, echo('runs')), run(pool, echo('waits'))];
    await expect(run(pool, echo('too many'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(Promise.all(accepted)).resolves.toEqual([answer('runs'), answer('waits')]);
  });

  it('keeps a thread for the next request, and ends it when it was idle for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pool = createPool({ idleMs: 1_000 });
    const first = await run(pool, { do: 'tell' });
    vi.advanceTimersByTime(999);
    expect(await run(pool, { do: 'tell' })).toEqual(first);
    vi.advanceTimersByTime(1_000);
    expect(await run(pool, { do: 'tell' })).not.toEqual(first);
  });

  it('fails what runs and refuses what waits when it is closed', async () => {
    const pool = createPool();
    const running = run(pool, { do: 'hang' });
    const waiting = run(pool, echo('a'));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await pool.close();
    await expect(running).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    await refused;
    await expect(run(pool, echo('b'))).rejects.toMatchObject({ code: 'unavailable' });
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
    await expect(run(pool, echo('a'))).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
  });
});
