// A build of the service whose sanitiser lets everything through, for tests that the other layers hold alone. Made for
// the tests only: no setting can do it. It lies in a folder of its own and is removed with it.
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const passThrough = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ html }) => {
  const answer = { pieces: [html], slots: [], remoteContent: 0, flaggedLinks: [] };
  parentPort.postMessage({ kind: 'answer', answer });
});
parentPort.postMessage({ kind: 'ready' });
`;
const root = fileURLToPath(new URL('../..', import.meta.url));

export async function createUnsanitisedBuild(
  buildDir: string,
): Promise<{ buildDir: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-unsanitised-'));
  const copy = path.join(folder, 'build', 'service');
  await cp(buildDir, copy, { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await writeFile(path.join(copy, 'mime', 'sanitise', 'sanitiser-worker.js'), passThrough);
  return { buildDir: copy, remove: () => rm(folder, { recursive: true, force: true }) };
}
