// `npm run test:stress -- [--runs=10] [--load=20] [vitest's arguments]`: repeats tests while loops keep the machine
// busy, and lists those that failed in any run. A test that fails on a busy machine must be fixed.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, tokens } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, load: { type: 'string', default: '20' } },
  strict: false,
  tokens: true,
});
const [runs, load] = [toCount('runs', values.runs), toCount('load', values.load)];
const own = new Set(
  tokens
    .filter((token) => token.kind === 'option' && ['runs', 'load'].includes(token.name))
    .map(({ index }) => index),
);
const words = process.argv.slice(2).filter((_, at) => !own.has(at));

const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-stress-'));
const loops = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** @type {Map<string, number>} */
const failures = new Map();
for (let run = 1; run <= runs; run++) {
  const report = path.join(folder, `${run}.json`);
  const startedAt = performance.now();
  const { status } = spawnSync(
    'npx',
    ['vitest', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...words],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const failed = listFailed(report);
  if (status !== 0 && failed.length === 0) failed.push('outside of a test; see above');
  for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `stress: run ${run} of ${runs} at load ${load} on ${availableParallelism()} cores: ${seconds} s, ${failed.length} failed`,
  );
}
for (const [name, times] of failures) console.log(`stress: failed ${times} of ${runs} times: ${name}`);
console.log(
  failures.size === 0
    ? `stress: all ${runs} runs passed`
    : `stress: ${failures.size} tests are flaky or broken`,
);
// The loops would keep this process alive.
process.exit(failures.size === 0 ? 0 : 1);

/**
 * @param {string} report
 * @returns {string[]}
 */
function listFailed(report) {
  /** @type {{ testResults: { name: string, assertionResults: { status: string, fullName: string }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${path.relative(process.cwd(), name)} > ${fullName}`),
  );
}

/**
 * @param {string} name
 * @param {unknown} text
 */
function toCount(name, text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) {
    throw new Error(`--${name} is a number from 1 to 1000, not ${String(text)}`);
  }
  return count;
}
