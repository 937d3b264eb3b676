// Finds what no other checker does: paths and hosts of one machine in files and lockfile, badly named or unexplained
// files, foreign-sounding wording, and long pages. scripts/check.mjs runs it over every file that git would commit. It
// prints file and line, and changes nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { countWords, isGenerated, mostWords } from './count-words.mjs';
import { findForeignWording } from './plain-english.mjs';

const machine = /(^|[\s"'`(=:])\/(work|root)\/|registry\.npmjs|_authToken/;
/** This file contains the pattern itself. */
const self = 'scripts/check-text.mjs';
const fixtures = /^(packages\/[\w-]+\/)?test\/fixtures\//;
const vagueNames = /^(utils?|helpers?|common|types|misc|index|shared)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const files = listFiles();
const perFile = files.flatMap((file) => [
  ...checkContent(file),
  ...checkName(file),
  ...checkOpening(file),
  ...checkWording(file),
  ...checkLength(file),
]);
const problems = [...perFile, ...checkLockfile()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function listFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
  return [...new Set(listed.stdout.split('\0'))].filter((file) => file !== '');
}

/** @param {string} file */
function checkContent(file) {
  if (file === self || fixtures.test(file)) return [];
  const text = readFileSync(file, 'latin1');
  if (!machine.test(text)) return [];
  return text
    .split('\n')
    .flatMap((line, at) =>
      machine.test(line) ? [`${file}:${at + 1}: names a path or host of one machine`] : [],
    );
}

/** @param {string} file */
function checkName(file) {
  if (!/^(src|packages\/[\w-]+|test|bench|scripts|bin|web\/[\w-]+)\/.*\.[cm]?[jt]sx?$/.test(file)) return [];
  const name = path.basename(file).replace(/(\.long|\.faults|\.timing)?(\.test)?(\.d)?\.[cm]?[jt]sx?$/, '');
  if (vagueNames.test(name)) return [`${file}: is not named for what it holds`];
  return kebab.test(name) ? [] : [`${file}: is not in kebab-case`];
}

/** @param {string} file */
function checkOpening(file) {
  const isCode = /^(src|packages\/[\w-]+\/src|scripts|bin|web)\/.*\.[cm]?[jt]sx?$/.test(file);
  if (!isCode || /\.test\.tsx?$/.test(file)) return [];
  const opensWithComment = /^(#!.*\n)?\/[/*]/.test(readFileSync(file, 'utf8'));
  return opensWithComment ? [] : [`${file}: does not open by saying what it is`];
}

/** @param {string} file */
function checkWording(file) {
  if (/^scripts\/plain-english\./.test(file) || fixtures.test(file)) return [];
  return findForeignWording(file, readFileSync(file, 'utf8'));
}

/** @param {string} file */
function checkLength(file) {
  if (!/^docs\/.*\.md$/.test(file) || isGenerated(file)) return [];
  const words = countWords(file);
  return words > mostWords ? [`${file}: has ${words} words, more than ${mostWords}`] : [];
}

/**
 * A lockfile with hosts makes every installation use those hosts. `npm ci` refuses one that lacks an optional package
 * because the registry did not have it when the file was made.
 */
function checkLockfile() {
  /** @type {{ packages: Record<string, { resolved?: string, link?: boolean, optionalDependencies?: Record<string, string> }> }} */
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const known = Object.keys(lock.packages);
  return Object.entries(lock.packages).flatMap(([name, entry]) => {
    const resolved =
      entry.resolved === undefined || entry.link === true
        ? []
        : [`package-lock.json: ${name} names ${entry.resolved}`];
    const absent = Object.keys(entry.optionalDependencies ?? {})
      .filter((wanted) => !known.some((other) => other.endsWith(`node_modules/${wanted}`)))
      .map((wanted) => `package-lock.json: ${name} wants ${wanted}, which is not there`);
    return [...resolved, ...absent];
  });
}
