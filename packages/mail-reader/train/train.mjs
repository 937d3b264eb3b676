// `npm run train:codes`: makes the examples from the corpus, then trains the trees in a virtual environment of Python
// with the versions of requirements.txt, and writes src/extract/model/tree-table.ts, or the file that is named.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../benchmark/run-program.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = path.join(here, '../../../build/code-model');
const environment = path.join(folder, 'python');
const python = path.join(environment, 'bin', 'python');
const target = process.argv[2] ?? path.join(here, '../src/extract/model/tree-table.ts');

const { dumpExamples } = /** @type {typeof import("./dump-examples.ts")} */ (
  await runProgram(path.join(here, 'dump-examples.ts'))
);
dumpExamples(folder);
if (!existsSync(python)) {
  run('python3', '-m', 'venv', environment);
  run(python, '-m', 'pip', 'install', '--quiet', '-r', path.join(here, 'requirements.txt'));
}
run(python, path.join(here, 'train.py'), folder, target);

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status } = spawnSync(program, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} failed`);
}
