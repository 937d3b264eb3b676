// Prints what measure.ts measures. Needs nothing but `npm ci`.
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.mjs';

const program = fileURLToPath(new URL('measure.ts', import.meta.url));
const { measure } = /** @type {typeof import('./measure.ts')} */ (await runProgram(program));
process.stdout.write(`${measure()}\n`);
