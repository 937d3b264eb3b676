// The last line of .ci/run: how many tests passed and failed, from vitest's JSON report, which is the argument.
// A test that did not run counts as failed: silence must not be taken for success.
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  /** @type {{ numTotalTests: number, numPassedTests: number, success: boolean }} */
  const report = text === '' ? { numTotalTests: 0, numPassedTests: 0, success: false } : JSON.parse(text);
  passed += report.numPassedTests;
  // A run without a test, or one that failed outside of its tests, counts as one failure at least.
  const missing = report.numTotalTests - report.numPassedTests;
  failed += report.success && report.numTotalTests > 0 ? missing : Math.max(1, missing);
}
if (failed > 0 || passed === 0) process.exitCode = 1;
console.log(`${passed} passed, ${failed} failed`);
