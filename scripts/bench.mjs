// `npm run bench`: builds the service and the benchmark, then runs bench/run.ts with the folder of the service's build
// and the given arguments. It measures nothing itself.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBenchBuilt, ensureBuilt } from './build.mjs';

const service = await ensureBuilt();
const bench = await ensureBenchBuilt();
// A separate process, so that building does not affect the measurements.
const child = spawn(process.execPath, [path.join(bench, 'run.js'), service, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
