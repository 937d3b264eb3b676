// Runs the service on a disk that fails on command (faulty-disk.c, compiled once a run), by LD_PRELOAD: needs no
// privileges.

import { copyFile, mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { runWell } from '../servers/run-program.ts';

type Fault = 'sync' | 'write' | 'open';
const order: readonly Fault[] = ['sync', 'write', 'open'];

export interface FaultyDisk {
  readonly dataDir: string;
  /** For the service's environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** Makes calls of this kind on the store's files fail from now on; undefined restores them. */
  fail(
    what: Fault,
    error: 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EFBIG' | 'EROFS' | 'EMFILE' | undefined,
  ): Promise<void>;
  /** Creates a data folder with what a power cut would leave of the store now, or at the process's end. */
  afterPowerCut(): Promise<string>;
}

/** Everything is removed with the test. */
export async function createFaultyDisk(): Promise<FaultyDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-disk-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const library = path.join(folder, 'faulty-disk.so');
  const source = fileURLToPath(new URL('faulty-disk.c', import.meta.url));
  await runWell('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-lpthread']);
  const at = (name: string): string => path.join(folder, name);
  for (const name of ['data', 'shadow']) await mkdir(at(name), { mode: 0o700 });
  await writeFile(at('plan'), Buffer.alloc(12));
  let cuts = 0;
  return {
    dataDir: at('data'),
    settings: {
      LD_PRELOAD: library,
      FAULTY_DISK_FOLDER: at('data'),
      FAULTY_DISK_SHADOW: at('shadow'),
      FAULTY_DISK_PLAN: at('plan'),
    },
    fail: async (what, error) => {
      const plan = Buffer.alloc(4);
      plan.writeInt32LE(error === undefined ? 0 : constants.errno[error]);
      const file = await open(at('plan'), 'r+');
      try {
        await file.write(plan, 0, 4, 4 * order.indexOf(what));
      } finally {
        await file.close();
      }
    },
    afterPowerCut: async () => {
      cuts += 1;
      const left = at(`left-${cuts}`);
      await mkdir(left, { mode: 0o700 });
      for (const name of await readdir(at('shadow'))) {
        await copyFile(path.join(at('shadow'), name), path.join(left, name));
      }
      // Synced whole before the store exists.
      await copyFile(path.join(at('data'), 'server.key'), path.join(left, 'server.key'));
      return left;
    },
  };
}
