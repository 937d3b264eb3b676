// A build of the service whose sanitiser lets everything through, for tests that the other layers hold alone. Made for
// the tests only: no setting can do it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type BuildCopy, copyBuild } from '../support/copy-build.ts';

const passThrough = `
import { parentPort } from 'node:worker_threads';
import { serveRequests } from '../../threads/serve-requests.js';
serveRequests(parentPort, ({ html }) => ({ pieces: [html], slots: [], remoteContent: 0, flaggedLinks: [] }));
`;

export async function createUnsanitisedBuild(buildDir: string): Promise<BuildCopy> {
  const copy = await copyBuild(buildDir);
  await writeFile(path.join(copy.buildDir, 'mime', 'sanitise', 'sanitiser-worker.js'), passThrough);
  return copy;
}
