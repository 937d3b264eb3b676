// A root file system with nothing but a program, the libraries it is linked with, and what is put there; and the program
// run in it without the rights of root, in namespaces of its own, as a container engine would.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';

import { runWell } from '../servers/run-program.ts';

/** Copies a program to its place in the root, with its libraries to theirs. */
export async function bringProgram(root: string, program: string, to: string): Promise<void> {
  const linked = await runWell('ldd', [program]);
  const libraries = [...linked.matchAll(/(?:=> |^\s*)(\/\S+)/gm)].map(([, file = '']) => file);
  for (const [from, place] of [[program, to], ...libraries.map((file) => [file, file])] as const) {
    mkdirSync(path.join(root, path.dirname(place)), { recursive: true });
    cpSync(from, path.join(root, place), { dereference: true });
  }
}

export interface RootedCommand {
  readonly root: string;
  readonly folder: string;
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A folder of the machine that the root has as /data. */
  readonly data: string;
}

/** The root is read-only but for /data and /tmp; the network is the machine's. The caller ends it. */
export function runInRoot({ root, folder, words, env, data }: RootedCommand): ChildProcess {
  const mounts =
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && mount -t tmpfs tmpfs "$1/tmp" && ' +
    'mount --bind "$2" "$1/data" && mount -t proc proc "$1/proc" && ' +
    'exec unshare --root "$1" --wd "$3" --setgid 1000 --setuid 1000 "$@"';
  const script = mounts.replace('"$@"', '-- "${@:4}"');
  const rights = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive', '--preserve-env'];
  const [program = '', ...args] = [
    ...rights,
    ...['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGTERM', 'bash', '-c', script, 'bash'],
    ...[root, data, folder, ...words],
  ];
  return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}
