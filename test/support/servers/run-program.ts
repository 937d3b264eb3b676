// Runs another program to its end and returns its output.

import { spawn } from 'node:child_process';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly cwd?: string;
}

export function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const { env = process.env, cwd, input = '' } = options;
    const child = spawn(program, args, { env, stdio: 'pipe', ...(cwd === undefined ? {} : { cwd }) });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (status) => {
      resolve({ status, stdout, stderr });
    });
    // A program that reads no input may exit before it is written.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
  });
}

/** @throws Error with the program's output if it fails */
export async function runWell(
  program: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { status, stdout, stderr } = await runProgram(program, args, options);
  if (status === 0) return stdout;
  throw new Error(`${program} ended with ${status}: ${stderr.slice(-2000)} ${stdout.slice(-2000)}`);
}
