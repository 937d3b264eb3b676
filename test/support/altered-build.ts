// A build of the service that does something otherwise, which no setting can do. It lies in a folder of its own and is
// removed with the test.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, inject, onTestFinished } from 'vitest';

export interface Alteration {
  /** Of the build. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

function startsThreadFrom(count: string): Alteration {
  return {
    file: 'store/sqlite/group-commit.js',
    from: 'const threadFrom = 8;',
    to: `const threadFrom = ${count};`,
  };
}

/** A thread of their own writes the deliveries from the first one on, or never, and not when many come at once. */
export const writesByThread = startsThreadFrom('1');
export const writesWithoutThread = startsThreadFrom('Infinity');

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Resolves with its folder. */
export async function createAlteredBuild(alterations: readonly Alteration[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-altered-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const copy = path.join(folder, 'build', 'service');
  await cp(inject('buildDir'), copy, { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  for (const { file, from, to } of alterations) {
    const source = await readFile(path.join(copy, file), 'utf8');
    expect(source).toContain(from);
    await writeFile(path.join(copy, file), source.replace(from, to));
  }
  return copy;
}
