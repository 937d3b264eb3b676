// A build of the service whose sanitiser lets everything through, for tests that the other layers hold alone. Made for
// the tests only: no setting can do it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type BuildCopy, copyBuild } from '../support/copy-build.ts';

const passThrough = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id, request }) => {
  const answer = { pieces: [request.html], slots: [], remoteContent: 0, flaggedLinks: [] };
  parentPort.postMessage({ kind: 'answer', id, answer });
});
parentPort.postMessage({ kind: 'ready' });
`;

export async function createUnsanitisedBuild(buildDir: string): Promise<BuildCopy> {
  const copy = await copyBuild(buildDir);
  await writeFile(path.join(copy.buildDir, 'reading', 'sanitiser-worker.js'), passThrough);
  return copy;
}
