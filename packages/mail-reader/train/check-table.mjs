// Part of `npm run check`: the table of trees was made from the corpus, the features and the script that are here.
import { readFileSync } from 'node:fs';
import { hashInputs } from './hash-inputs.mjs';

const table = readFileSync(new URL('../src/extract/model/tree-table.ts', import.meta.url), 'utf8');
const limit = 60 * 1024;
if (!table.includes(`// inputs ${hashInputs()}\n`)) {
  process.stderr.write(
    'The corpus, the features or train.py changed after tree-table.ts was made: run `npm run train:codes`.\n',
  );
  process.exitCode = 1;
} else if (table.length > limit) {
  process.stderr.write(`tree-table.ts has ${table.length} bytes, more than ${limit}.\n`);
  process.exitCode = 1;
}
