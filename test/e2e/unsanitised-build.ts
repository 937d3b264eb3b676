// Creates a build of the service whose sanitiser lets everything through, to test the other layers alone. No setting
// can do this.
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type BuildCopy, copyBuild } from '../support/service/copy-build.ts';

/** Returns HTML unsanitised, and passes other work to the real thread's code. */
const passThrough = `
import { parentPort } from 'node:worker_threads';
const on = parentPort.on.bind(parentPort);
parentPort.on = (name, listener) => on(name, (message) => {
  if (message?.request?.kind !== 'sanitise') return listener(message);
  const page = '<html><head></head><body>' + message.request.input.html + '</body></html>';
  const html = { pieces: [page], slots: [], mode: 'no-quirks', remoteContent: 0, remoteImages: 0, flaggedLinks: [] };
  parentPort.postMessage({ kind: 'answer', id: message.id, answer: { kind: 'sanitise', html } });
});
await import('./sanitising-worker.js');
`;

export async function createUnsanitisedBuild(buildDir: string): Promise<BuildCopy> {
  const copy = await copyBuild(buildDir);
  const worker = path.join(copy.buildDir, 'packages/mail-threads', 'reader-worker.js');
  await rename(worker, path.join(copy.buildDir, 'packages/mail-threads', 'sanitising-worker.js'));
  await writeFile(worker, passThrough);
  return copy;
}
