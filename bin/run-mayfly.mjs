// Runs the current build of src/ in a clone, building first if that has changed, and dist/ in the published package.
// The service runs in this process, so signals reach it. Loaded by mayfly.mjs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const isClone = existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
if (isClone) {
  // A separate process, because the compiler would stay in the service's memory.
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { ensureBuilt } = await import('../scripts/build.mjs');
  const folder = await ensureBuilt();
  await import(pathToFileURL(`${folder}/main.js`).href);
} else {
  await import(new URL('../dist/main.js', import.meta.url).href);
}
