// Runs the current build of src/ in a clone, building first if that has changed, and dist/ in the published package.
// Loaded by mayfly-mcp.mjs.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const builder = new URL('../../../scripts/build.mjs', import.meta.url);
const isClone = existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
if (isClone && existsSync(fileURLToPath(builder))) {
  const { ensureMcpBuilt } = await import(builder.href);
  await import(pathToFileURL(`${await ensureMcpBuilt()}/main.js`).href);
} else {
  await import(new URL('../dist/main.js', import.meta.url).href);
}
