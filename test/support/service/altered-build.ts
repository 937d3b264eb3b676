// Creates a build of the service with altered code, for behaviour no setting can produce. It is removed with the test.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, inject, onTestFinished } from 'vitest';

import { copyBuild } from './copy-build.ts';

export interface Alteration {
  /** Relative to the build. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

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
