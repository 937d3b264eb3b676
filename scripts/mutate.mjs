// `npm run mutate -- [--count=100] [--seed=1] [--budget=60] [--jobs=1] [--only=FILE:LINE,…] [filters of test files]`:
// measures how strong the tests are. Takes a random sample of small changes of the source (scripts/mutants.mjs), runs for
// each the tests that reach it, and lists the changes that no test noticed. `--budget` is how many seconds of tests,
// as measured without a mutant, a change may cost; one that passes them survives. Nothing in the checkout is changed.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { listMutants } from './mutants.mjs';
import { createCopy, TestRunner } from './mutation-copy.mjs';

/** @typedef {import('./mutants.mjs').NumberedMutant} NumberedMutant */
/** @typedef {{ file: string, ms: number, hits: readonly number[] }} TestFile */
/** @typedef {{ mutant: NumberedMutant, isKilled: boolean }} Verdict */

const folders = [
  'packages/mail-receiver/src',
  'packages/group-commit/src',
  'packages/networks/src',
  'packages/smtp-listener/src',
  'src/smtp',
  'src/store',
  'src/service',
  'src/http/access',
];
/** PostgreSQL's stores are tested by the kind `system`. */
const left = /\.test\.ts$|\.d\.ts$|^src\/store\/postgres\//;
const root = fileURLToPath(new URL('..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    budget: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const budgetMs = 1000 * toNumber(values.budget);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const only = values.only.split(',').filter(Boolean);
const mutants = takeSample(toNumber(values.count), createRandom(toNumber(values.seed))).filter(
  ({ file, line }) => only.length === 0 || only.some((beginning) => `${file}:${line}`.startsWith(beginning)),
);
const copy = createCopy(root, mutants);
const first = new TestRunner({ copy, name: '0', filters: positionals });
const others = Array.from(
  { length: toNumber(values.jobs) - 1 },
  (_, at) => new TestRunner({ copy, name: `${at + 1}`, filters: positionals }),
);
const ofService = (await first.start()).filter((file) =>
  /^(?:src|test|packages\/(?!mail-reader\/)[^/]+)\//.test(path.relative(copy, file)),
);
const tests = (await shareOut(ofService, measure)).flat();
if (tests.length === 0) throw new Error('no such test file passes');
console.log(`mutate: ${mutants.length} mutants, ${tests.length} test files pass without any`);
printTable(await shareOut(mutants, judge));
process.exit();

/** @param {string} text */
function toNumber(text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new Error(`not a whole number from 1: ${text}`);
  return number;
}

/**
 * Returns a generator of numbers from 0 to 1 (mulberry32).
 * @param {number} start
 */
function createRandom(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Takes mutants from each folder in proportion to its lines.
 * @param {number} wanted
 * @param {() => number} random
 * @returns {NumberedMutant[]}
 */
function takeSample(wanted, random) {
  const parts = folders.map((folder) => {
    const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith('.ts') && !left.test(file))
      .sort()
      .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
    const all = files.flatMap(({ file, text }) => listMutants(file, text));
    const shuffled = all.map((mutant) => ({ mutant, at: random() })).sort((a, b) => a.at - b.at);
    return { shuffled, lines: files.reduce((lines, { text }) => lines + text.split('\n').length, 0) };
  });
  const lines = parts.reduce((total, part) => total + part.lines, 0);
  return parts
    .flatMap((part) => part.shuffled.slice(0, Math.round((wanted * part.lines) / lines)))
    .map(({ mutant }, at) => ({ ...mutant, id: at + 1 }));
}

/**
 * Lets the runners do the work, each one item at a time.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(runner: TestRunner, item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
async function shareOut(items, work) {
  const waiting = [...items];
  /** @type {Result[]} */
  const results = [];
  await Promise.all(
    [first, ...others].map(async (runner) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        results.push(await work(runner, item));
      }
    }),
  );
  return results;
}

/**
 * Runs a test file without a mutant. One that fails, for example because it needs git, is left out.
 * @param {TestRunner} runner
 * @param {string} file
 * @returns {Promise<TestFile[]>}
 */
async function measure(runner, file) {
  const startedAt = performance.now();
  const { failed, hits } = await runner.run({ mutant: 0, files: [file] }, 10 * 60_000);
  if (failed.length === 0) return [{ file, ms: performance.now() - startedAt, hits }];
  console.log(`mutate: fails without a mutant, left out: ${path.relative(copy, file)}`);
  return [];
}

/**
 * @param {TestRunner} runner
 * @param {NumberedMutant} mutant
 * @returns {Promise<Verdict>}
 */
async function judge(runner, mutant) {
  const beside = path.join(copy, mutant.file.replace(/\.ts$/, ''));
  const reaching = tests
    .filter(({ hits }) => hits.includes(mutant.id))
    .sort((a, b) => Number(b.file.startsWith(beside)) - Number(a.file.startsWith(beside)) || a.ms - b.ms);
  let ms = 0;
  const files = reaching
    .filter((test, at) => (ms += test.ms) <= budgetMs || at === 0)
    .map(({ file }) => file);
  const limitMs = 30_000 + 5 * Math.min(ms, budgetMs);
  const { failed } =
    files.length === 0 ? { failed: [] } : await runner.run({ mutant: mutant.id, files }, limitMs);
  const change = `${mutant.file}:${mutant.line} ${inOneLine(mutant.original)} → ${inOneLine(mutant.replacement)}`;
  if (failed[0] === undefined) {
    console.log(`survived ${change} (${files.length} of ${reaching.length} test files that reach it passed)`);
  } else console.error(`killed ${change} by ${failed[0].replace(`${copy}/`, '')}`);
  return { mutant, isKilled: failed.length > 0 };
}

/** @param {string} text */
function inOneLine(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

/** @param {readonly Verdict[]} verdicts */
function printTable(verdicts) {
  console.log('| folder | mutants | killed | % |\n| --- | ---: | ---: | ---: |');
  for (const folder of [...folders, '']) {
    const part = verdicts.filter(({ mutant }) => mutant.file.startsWith(folder));
    const killed = part.filter(({ isKilled }) => isKilled).length;
    const percent = part.length === 0 ? '–' : ((100 * killed) / part.length).toFixed(1);
    console.log(`| ${folder || 'all'} | ${part.length} | ${killed} | ${percent} |`);
  }
}
