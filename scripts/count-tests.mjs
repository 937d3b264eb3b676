// The last line of .ci/run: how many tests passed and failed, from vitest's JSON report, the first argument.
// A test that did not run counts as failed: whoever reads the line must not take silence for success.
import { readFileSync } from 'node:fs';

const text = readFileSync(process.argv[2] ?? '', 'utf8');
/** @type {{ numTotalTests: number, numPassedTests: number, success: boolean }} */
const report = text === '' ? { numTotalTests: 0, numPassedTests: 0, success: false } : JSON.parse(text);
const failed = report.numTotalTests - report.numPassedTests;
if (failed > 0 || report.numTotalTests === 0 || !report.success) process.exitCode = 1;
console.log(`${report.numPassedTests} passed, ${failed} failed`);
