// `npm run bench`: builds the service and the benchmark, and for `--against` and `--peers` what they are compared with,
// then runs bench/run.ts with the folder of the service's build and the given arguments. It measures nothing itself.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensurePeers } from '../bench/peers/build-peers.mjs';
import { buildCommit } from './build-commit.mjs';
import { ensureBenchBuilt, ensureBuilt } from './build.mjs';

const args = process.argv.slice(2);
const service = await ensureBuilt();
const bench = await ensureBenchBuilt();
const at = args.indexOf('--against');
const commit = at < 0 ? undefined : args[at + 1];
const other = commit === undefined ? undefined : await buildCommit(commit);
// run.ts takes builds in place of what they are built from.
if (other) args.splice(at, 2, '--against', `${other.name}=${other.build}`);
const wantsPeers = args.indexOf('--peers');
if (wantsPeers >= 0) args.splice(wantsPeers, 1, '--peers', await ensurePeers(path.dirname(service)));
// A separate process, so that building does not affect the measurements.
const child = spawn(process.execPath, [path.join(bench, 'run.js'), service, ...args], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
  void other?.remove();
});
