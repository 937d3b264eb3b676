// A build of the service that does something otherwise, which no setting can do. It is removed with the test.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, inject, onTestFinished } from 'vitest';

import { copyBuild } from './copy-build.ts';

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

/** Resolves with its folder. */
export async function createAlteredBuild(alterations: readonly Alteration[]): Promise<string> {
  const { buildDir, remove } = await copyBuild(inject('modulesDir'));
  onTestFinished(remove);
  for (const { file, from, to } of alterations) {
    const source = await readFile(path.join(buildDir, file), 'utf8');
    expect(source).toContain(from);
    await writeFile(path.join(buildDir, file), source.replace(from, to));
  }
  return buildDir;
}
