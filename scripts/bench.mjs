// `npm run bench`: builds the service and the benchmark, then runs bench/run.ts with the folder of the service's
// build as its first argument and whatever else was asked for after it. It measures nothing itself.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBenchBuilt, ensureBuilt } from './build.mjs';

const service = await ensureBuilt();
const bench = await ensureBenchBuilt();
// A process of its own, so that building leaves no trace in what is measured.
const child = spawn(process.execPath, [path.join(bench, 'run.js'), service, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
