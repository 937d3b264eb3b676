// The last line of .ci/run: how many tests passed and failed, from vitest's JSON report, which is the argument. Before it
// stand the tests that passed only when they were run again: they are flaky, whatever the count says.
// A test that did not run counts as failed: silence must not be taken for success.
import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ status: string, fullName: string, failureMessages: string[] }} Test */
/** @typedef {{ name: string, assertionResults: Test[] }} TestFile */
/** @typedef {{ numTotalTests: number, numPassedTests: number, success: boolean, testResults: TestFile[] }} Report */

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  /** @type {Report} */
  const report =
    text === '' ? { numTotalTests: 0, numPassedTests: 0, success: false, testResults: [] } : JSON.parse(text);
  listRetried(report);
  passed += report.numPassedTests;
  // A run without a test, or one that failed outside of its tests, counts as one failure at least.
  const missing = report.numTotalTests - report.numPassedTests;
  failed += report.success && report.numTotalTests > 0 ? missing : Math.max(1, missing);
}
if (failed > 0 || passed === 0) process.exitCode = 1;
console.log(`${passed} passed, ${failed} failed`);

/**
 * A passed test keeps the messages of its earlier tries.
 * @param {Report} report
 */
function listRetried({ testResults }) {
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== 'passed' || failureMessages.length === 0) continue;
      const [first = ''] = (failureMessages[0] ?? '').split('\n');
      console.log(
        `flaky, passed at a later try: ${name.replace(`${process.cwd()}/`, '')} > ${fullName}: ${first}`,
      );
    }
  }
}
