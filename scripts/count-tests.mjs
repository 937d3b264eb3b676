// Prints the last line of .ci/run: the numbers of passed and failed tests, from vitest's JSON report, whose path is
// the argument. Before it, lists the tests that failed, and those that passed only on a retry: they are flaky. A test
// that did not run counts as failed, so that an empty run is not a success.
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
  listTroubled(report);
  passed += report.numPassedTests;
  // A run without tests, or with a failure outside of them, counts at least one failure.
  const missing = report.numTotalTests - report.numPassedTests;
  failed += report.success && report.numTotalTests > 0 ? missing : Math.max(1, missing);
}
if (failed > 0 || passed === 0) process.exitCode = 1;
console.log(`${passed} passed, ${failed} failed`);

/**
 * Lists the tests that failed, and those that passed on a retry, which keep the messages of their earlier tries.
 * @param {Report} report
 */
function listTroubled({ testResults }) {
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'passed' && failureMessages.length === 0) continue;
      const outcome = status === 'passed' ? 'flaky, passed at a later try' : status;
      const [first] = (failureMessages[0] ?? 'no message').split('\n');
      console.log(`${outcome}: ${name.replace(`${process.cwd()}/`, '')} > ${fullName}: ${first}`);
    }
  }
}
