// Every process that the benchmark starts, so that each is ended by its own id whatever happens: at the end, on a
// failure, on Ctrl-C. Nothing else here may call spawn.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();
const patienceMs = 15_000;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly stdio: StdioOptions;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts a program. @throws Error, once it is awaited for, when there is no such program */
export function startChild({ program, args, ...options }: Command): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/** Kills what still runs, at once and without waiting. For the handler of the process's own exit. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Asks a process to end and waits for it; one that does not obey within 15 s is killed. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(timer);
}

/**
 * Waits for a program that ends by itself.
 * @throws Error when it fails, cannot be started or takes longer than `limitMs`; `name` says which it was
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

/** The last 2,000 characters that the process wrote to standard error, when that is a pipe. */
function keepTail(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-2000);
  });
  return () => tail;
}

/**
 * The first line of a process's standard output.
 * @throws Error when it ends, or 30 s pass, before it has said one
 */
export async function readFirstLine(child: ChildProcess, name: string): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('\n')) child.emit('line');
  });
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${name} ended before it was ready`);
  });
  const line = once(child, 'line', { signal });
  // Whichever loses has nobody listening; its failure is the other's story.
  await Promise.race([line, ended]).finally(() => Promise.allSettled([line, ended]).catch(String));
  return text.slice(0, text.indexOf('\n'));
}
