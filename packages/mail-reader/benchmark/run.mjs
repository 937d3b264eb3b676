// `npm run bench:codes`: measures, prints the tables, and writes results.json and those of docs/reading-codes.md. Needs
// nothing but `npm ci`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.mjs';

const at = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const { measure } = /** @type {typeof import('./measure.ts')} */ (await runProgram(at('measure.ts')));
const { printTables, updatePage } = /** @type {typeof import('./results.ts')} */ (
  await runProgram(at('results.ts'))
);

const results = measure();
writeFileSync(at('results.json'), `${JSON.stringify(results, null, 2)}\n`);
process.stdout.write(`${printTables(results)}
`);
const page = at('../../../docs/reading-codes.md');
writeFileSync(page, updatePage(readFileSync(page, 'utf8'), results));
