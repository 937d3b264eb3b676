// Copies a build of the service, to alter code that no setting changes. The copy has its own folder, which `remove`
// removes.

import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuildCopy {
  readonly buildDir: string;
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The copy resolves the same packages as the build. */
export async function copyBuild(buildDir: string): Promise<BuildCopy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-build-'));
  const copy = path.join(folder, 'build', 'service');
  // Files of `.in-use` come and go with the processes that run the build.
  await cp(buildDir, copy, { recursive: true, filter: (from) => path.basename(from) !== '.in-use' });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  return { buildDir: copy, remove: () => rm(folder, { recursive: true, force: true }) };
}
