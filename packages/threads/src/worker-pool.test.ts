// The pool with worker threads that misbehave on request: what is slow, dies or eats memory costs only its own request.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PooledWorker, type RunOutcome } from './pooled-worker.ts';
import { WorkerThreads } from './worker-threads.ts';
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
const opened: WorkerThreads<Request, string>[] = [];

function createThreads({ workers = 1, idleMs = 30_000 }: { workers?: number; idleMs?: number }) {
  const threads = new WorkerThreads<Request, string>({
    workerUrl,
    threads: workers,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  opened.push(threads);
  return threads;
}

function createPool(
  options: {
    timeBudgetMs?: number;
    workers?: number;
    queuedMax?: number;
    waitMaxMs?: number;
    idleMs?: number;
  } = {},
  threads = createThreads(options),
) {
  return new WorkerPool({
    threads,
    refuse: (message) => Object.assign(new Error(message), { code: 'unavailable' }),
    timeBudgetMs: options.timeBudgetMs ?? 30_000,
    queuedMax: options.queuedMax ?? 100,
    waitMaxMs: options.waitMaxMs ?? 60_000,
  });
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
  await Promise.all(opened.splice(0).map((threads) => threads.close()));
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
    const threads = createThreads({ idleMs: 1_000 });
    const pool = createPool({}, threads);
    threads.warm();
    const first = await run(pool, { do: 'tell' });
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(999);
      threads.warm();
    }
    expect(await run(pool, { do: 'tell' })).toEqual(first);
    vi.advanceTimersByTime(1_000);
    expect(await run(pool, { do: 'tell' })).not.toEqual(first);
  });

  it('keeps a thread as long as requested, and starts another when it dies meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const threads = createThreads({ idleMs: 1_000 });
    const pool = createPool({}, threads);
    threads.warm(600_000);
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
    const threads = createThreads({ workers: 2 });
    const pool = createPool({}, threads);
    const attacks = Promise.allSettled(
      [1, 2, 3].map((n) =>
        pool.run({ owner: { session: String(n), network: 'attack' }, request: { do: 'hang' } }),
      ),
    );
    const same = [1, 2].map(() => pool.run({ owner: { session: 'one', network: 'x' }, request: echo('x') }));
    await expect(Promise.all(same)).resolves.toEqual([answer('x'), answer('x')]);
    // The attack's first still runs: its budget is half a minute.
    pool.close();
    await threads.close();
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
    const pool = createPool({ waitMaxMs: 50 });
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
    const pool = createPool({ queuedMax: 1 });
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
    const threads = createThreads({});
    const pool = createPool({}, threads);
    const running = run(pool, { do: 'hang' });
    const waiting = run(pool, echo('a'));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    pool.close();
    await threads.close();
    await expect(running).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    await refused;
    await expect(run(pool, echo('b'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails requests, and does not hang, when the worker file does not exist', async () => {
    const threads = new WorkerThreads<Request, string>({
      workerUrl: new URL('./no-such-worker.js', import.meta.url),
      threads: 2,
      idleMs: 1_000,
      resourceLimits: {},
    });
    opened.push(threads);
    const pool = createPool({}, threads);
    for (const value of ['a', 'b', 'c']) {
      await expect(run(pool, echo(value))).resolves.toMatchObject({ kind: 'failed', cause: 'crashed' });
    }
  });

  it('shares its threads with another, whose requests wait for none of its own', async () => {
    const threads = createThreads({ workers: 2 });
    const [slow, quick] = [createPool({}, threads), createPool({}, threads)];
    const hanging = run(slow, { do: 'hang' });
    await expect(run(quick, echo('a'))).resolves.toEqual(answer('a'));
    await expect(run(quick, echo('b'))).resolves.toEqual(answer('b'));
    await threads.close();
    await expect(hanging).resolves.toMatchObject({ kind: 'failed' });
  });
});

describe('WorkerThreads', () => {
  const tell = { request: { do: 'tell' } as const, timeBudgetMs: 30_000 };

  it('does one piece of work after another with the one thread that is ready', async () => {
    const started = vi.spyOn(PooledWorker.prototype, 'start');
    const threads = createThreads({ workers: 5 });
    threads.warm(60_000);
    const first = await threads.run(tell);
    for (let i = 0; i < 5; i++) expect(await threads.run(tell)).toEqual(first);
    expect(started).toHaveBeenCalledOnce();
  });

  it('gives a request to the thread that is free first, and not to one that still has to start', async () => {
    // Only the first of the threads with this file becomes ready.
    const onlyOne = `
      import { workerData } from 'node:worker_threads';
      if (Atomics.add(workerData, 0, 1) > 0) Atomics.wait(workerData, 1, 0);
      await import(${JSON.stringify(workerUrl.href)});
    `;
    const started = new Int32Array(new SharedArrayBuffer(8));
    const threads = new WorkerThreads<Request, string>({
      workerUrl: new URL(`data:text/javascript,${encodeURIComponent(onlyOne)}`),
      threads: 2,
      idleMs: 30_000,
      resourceLimits: {},
      workerData: started,
    });
    opened.push(threads);
    const first = await threads.run(tell);
    await expect(Promise.all([threads.run(tell), threads.run(tell)])).resolves.toEqual([first, first]);
  });
});
