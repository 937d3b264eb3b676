// All processes that the benchmark starts, so that each is ended by its own id at the end, on a failure or on Ctrl-C.
// No other file of the benchmark may call spawn.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();
const patienceMs = 15_000;
/** A busy machine starts programs slowly. */
const firstLineMs = 120_000;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: StdioOptions;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts a program. @throws Error, when awaited, if there is no such program */
export function startChild({ program, args, ...options }: Command): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Kills the remaining processes without waiting; for the handler of the process's own exit. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Asks a process to end and waits for it; kills it after 15 s. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!running.has(child)) return;
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  child.kill(signal);
  await exit;
  clearTimeout(timer);
}

/**
 * Waits for a program that ends by itself.
 * @throws Error, with `name` in it, when it fails, cannot be started or takes longer than `limitMs`
 */
export async function finish(child: ChildProcess, name: string, limitMs: number): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  const stderr = keepTail(child);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (isLate) throw new Error(`${name} took longer than ${limitMs / 1000} s`);
    if (code !== 0) throw new Error(`${name} ended with ${code ?? 'a signal'}: ${stderr().trim()}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a function that gives the last 2,000 characters of the process's standard error, if that is a pipe. */
function keepTail(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2000);
  });
  return () => tail;
}

/**
 * Reads the first line of a process's standard output, which must be a pipe, that begins with `start`, and discards the
 * rest.
 * @throws Error when the process ends or two minutes pass before it
 */
export function readFirstLine(child: ChildProcess, name: string, start = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      child.stdout?.off('data', onData).resume();
      child.off('exit', onEnd).off('error', onEnd);
      outcome();
    };
    const fail = (what: string) => (): void => {
      settle(() => {
        reject(new Error(`${name} ${what} before it was ready`));
      });
    };
    const onEnd = fail('ended');
    const timer = setTimeout(fail('took two minutes'), firstLineMs);
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      const found = lines.find((line) => line.startsWith(start));
      if (found === undefined) return;
      settle(() => {
        resolve(found);
      });
    };
    child.stdout?.on('data', onData);
    child.on('exit', onEnd).on('error', onEnd);
  });
}
