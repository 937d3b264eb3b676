// Finds what no other checker does: paths and hosts of one machine in files and lockfile, badly named or unexplained
// files, opening lines that are not true, foreign-sounding wording, and long pages. scripts/check.mjs runs it over every file that git would commit. It
// prints file and line, and changes nothing.
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { countWords, isGenerated, mostWords } from './count-words.mjs';
import { findFalseUsers } from './opening-lines.mjs';
import { findForeignWording } from './plain-english.mjs';

const machine = /(^|[\s"'`(=:])\/(work|root)\/|registry\.npmjs|_authToken/;
/** This file contains the pattern itself. */
const self = 'scripts/check-text.mjs';
const fixtures = /^(packages\/[\w-]+\/)?test\/fixtures\//;
/** More than `npm ci` may install: what only checks or clients need has a lockfile of its own. */
const tooManyPackages = 330;
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
const problems = [
  ...perFile,
  ...findFalseUsers(readTexts()),
  ...files.filter(isLockfile).flatMap(checkLockfile),
  ...checkInstallation(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** @param {string} file */
function isLockfile(file) {
  return path.basename(file) === 'package-lock.json' && !fixtures.test(file);
}

function listFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (listed.status !== 0) throw new Error(`git ls-files failed: ${listed.stderr}`);
  return [...new Set(listed.stdout.split('\0'))].filter((file) => file !== '' && !isLink(file));
}

/** Its target is checked where it lies. @param {string} file */
function isLink(file) {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
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
  const isCode = /^(src|packages\/[\w-]+|test|bench|scripts|tools|bin|web\/[\w-]+)\/.*\.[cm]?[jt]sx?$/;
  if (!isCode.test(file)) return [];
  const name = path.basename(file).replace(/(\.long|\.faults|\.timing)?(\.test)?(\.d)?\.[cm]?[jt]sx?$/, '');
  if (vagueNames.test(name)) return [`${file}: is not named for what it holds`];
  return kebab.test(name) ? [] : [`${file}: is not in kebab-case`];
}

/** @param {string} file */
function checkOpening(file) {
  const isCode = /^(src|packages\/[\w-]+\/src|scripts|tools|bin|web)\/.*\.[cm]?[jt]sx?$/.test(file);
  if (!isCode || /\.test\.tsx?$/.test(file)) return [];
  const opensWithComment = /^(#!.*\n)?\/[/*]/.test(readFileSync(file, 'utf8'));
  return opensWithComment ? [] : [`${file}: does not open by saying what it is`];
}

/** @param {string} file */
function checkWording(file) {
  if (/^scripts\/plain-english\./.test(file) || fixtures.test(file)) return [];
  return findForeignWording(file, readFileSync(file, 'utf8'));
}

function readTexts() {
  const isCode = /^(src|packages|clients|scripts|tools|bench|test|web)\/.*\.(tsx?|mjs)$/;
  return new Map(
    files.flatMap((file) =>
      isCode.test(file) && !fixtures.test(file) ? [[file, readFileSync(file, 'utf8')]] : [],
    ),
  );
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
function checkLockfile(/** @type {string} */ file) {
  const lock = readLockfile(file);
  const known = Object.keys(lock.packages);
  return Object.entries(lock.packages).flatMap(([name, entry]) => {
    const resolved =
      entry.resolved === undefined || entry.link === true ? [] : [`${file}: ${name} names ${entry.resolved}`];
    const absent = Object.keys(entry.optionalDependencies ?? {})
      .filter((wanted) => !known.some((other) => other.endsWith(`node_modules/${wanted}`)))
      .map((wanted) => `${file}: ${name} wants ${wanted}, which is not there`);
    return [...resolved, ...absent];
  });
}

/** A newcomer's `npm ci` is small and prints no warning. Packages for one platform count where they are installed. */
function checkInstallation() {
  const { packages } = readLockfile('package-lock.json');
  /** @type {{ allowScripts: Record<string, boolean> }} */
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const everywhere = Object.entries(packages).filter(
    // Links lead to packages of this repository.
    ([name, entry]) => name.includes('node_modules/') && entry.os === undefined && entry.link !== true,
  );
  const few =
    everywhere.length < tooManyPackages
      ? []
      : [`package-lock.json: has ${everywhere.length} packages, not less than ${tooManyPackages}`];
  const warned = everywhere.flatMap(([name, entry]) => {
    const isSilent = entry.hasInstallScript !== true || name.slice('node_modules/'.length) in allowScripts;
    return [
      ...(isSilent ? [] : [`package-lock.json: ${name} has an install script; npm warns of it`]),
      ...(entry.deprecated === undefined
        ? []
        : [`package-lock.json: ${name} is deprecated; npm warns of it`]),
    ];
  });
  return [...few, ...warned];
}

/**
 * @typedef {object} LockedPackage
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {readonly string[]} [os]
 * @property {boolean} [hasInstallScript]
 * @property {string} [deprecated]
 */

/** @param {string} file */
function readLockfile(file) {
  /** @type {{ packages: Record<string, LockedPackage> }} */
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  return lock;
}
