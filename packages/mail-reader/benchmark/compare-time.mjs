// `node packages/mail-reader/benchmark/compare-time.mjs COMMIT`: how much processor time finding the codes of a mail
// takes, in this build and in that of the commit. Both read each mail in turns, in an order that changes; of several turns the
// least counts, since other work on the machine only adds.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.mjs';

/** @typedef {import('./large-mails.ts').TimedMail} TimedMail */
/** @typedef {(mail: TimedMail) => unknown} Read */

const turns = 4;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const commit = process.argv[2] ?? 'HEAD';

const { makeTimedMails } = /** @type {typeof import('./large-mails.ts')} */ (
  await runProgram(path.join(here, 'large-mails.ts'))
);
/** @type {Record<string, Read>} */
const builds = {
  'this build': await loadReader(path.join(here, '..'), 'this'),
  [commit]: await loadReader(path.join(checkOut(commit), 'packages', 'mail-reader'), 'other'),
};
process.stdout.write('ms of processor time       p50    p90    p99\n');
for (const [kind, mails] of Object.entries(makeTimedMails())) {
  for (const [name, times] of Object.entries(measure(mails))) {
    const cells = [0.5, 0.9, 0.99].map((share) => quantile(times, share).toFixed(2).padStart(6));
    process.stdout.write(`${kind.padEnd(9)} ${name.padEnd(12)} ${cells.join(' ')}\n`);
  }
}

/**
 * @param {readonly TimedMail[]} mails
 * @returns {Record<string, number[]>} by build, the least time of each mail
 */
function measure(mails) {
  /** @type {Record<string, number[]>} */
  const least = Object.fromEntries(Object.keys(builds).map((name) => [name, mails.map(() => Infinity)]));
  for (let turn = 0; turn < turns; turn++) {
    const order = Object.entries(builds);
    if (turn % 2 === 1) order.reverse();
    for (const [i, mail] of mails.entries()) {
      for (const [name, read] of order) {
        const before = process.cpuUsage();
        read(mail);
        const { user, system } = process.cpuUsage(before);
        const times = least[name] ?? [];
        times[i] = Math.min(times[i] ?? Infinity, (user + system) / 1000);
      }
    }
  }
  return least;
}

/**
 * @param {readonly number[]} times
 * @param {number} share
 */
function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/**
 * @param {string} folder of the package
 * @param {string} name
 * @returns {Promise<Read>}
 */
async function loadReader(folder, name) {
  const entry = path.join(folder, 'src', 'extract', 'find-codes.ts');
  const { findCodes } = /** @type {typeof import('../src/extract/find-codes.ts')} */ (
    await runProgram(entry, `find-codes-${name}`)
  );
  return findCodes;
}

/**
 * @param {string} name of a commit
 * @returns {string} the folder with its sources
 */
function checkOut(name) {
  const hash = run('git', ['rev-parse', '--verify', `${name}^{commit}`])
    .toString()
    .trim();
  const folder = path.join(root, 'build', 'mail-reader-at', hash);
  if (!existsSync(folder)) {
    const archive = run('git', [
      'archive',
      hash,
      'packages/mail-reader/src',
      'packages/mail-reader/package.json',
    ]);
    mkdirSync(folder, { recursive: true });
    run('tar', ['-x', '-C', folder], archive);
  }
  return folder;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Buffer} [input]
 */
function run(program, args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    input,
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.toString()}`);
  return stdout;
}
