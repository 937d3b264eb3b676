// Counts the files that a small change takes: makes each of scratch-changes.mjs in a copy of the repository, generates
// its documents, and checks that types and its tests hold with all of them. Called by `npm run structure -- --changes`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { copyRepository } from './copy-repository.mjs';
import { changes } from './scratch-changes.mjs';

/** @typedef {import('./scratch-changes.mjs').ScratchChange} ScratchChange */

const root = fileURLToPath(new URL('..', import.meta.url));
const isTest = /\.test\.ts$/;

/**
 * Returns for each change how many files a person writes, apart from tests, and how many tests and generated files there
 * are beside them. @throws Error when a change does not hold
 */
export function countChanges() {
  const copy = copyRepository(root, 'changes');
  const counts = changes.map((change) => {
    const before = hashGenerated(copy);
    const written = makeChange(copy, change);
    run(copy, 'scripts/docs.mjs');
    const after = hashGenerated(copy);
    const generated = [...after].filter(([file, hash]) => before.get(file) !== hash && !written.has(file));
    const tests = [...written].filter((file) => isTest.test(file));
    return {
      ...change,
      files: written.size - tests.length,
      tests: tests.length,
      generated: generated.length,
    };
  });
  const project = {
    extends: './tsconfig.json',
    include: ['src', 'packages', 'test', 'scripts/build-for-tests.ts'],
  };
  writeFileSync(path.join(copy, 'tsconfig.changes.json'), JSON.stringify(project));
  run(copy, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.changes.json');
  run(copy, 'node_modules/vitest/vitest.mjs', 'run', ...new Set(changes.flatMap(({ tests }) => tests)));
  return counts;
}

/**
 * Returns the files that were written.
 * @param {string} copy
 * @param {ScratchChange} change
 */
function makeChange(copy, { name, edits }) {
  /** @type {Set<string>} */
  const written = new Set();
  for (const { file: named, after, afterLine, text } of edits) {
    const file = named.replace('NEXT', nextNumber(copy, path.dirname(named)));
    const place = path.join(copy, file);
    const piece = after ?? afterLine;
    if (piece === undefined) {
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text, { flag: 'wx' });
    } else {
      const [head = '', tail, ...more] = readFileSync(place, 'utf8').split(piece);
      if (tail === undefined || more.length > 0) throw new Error(`${name}: ${file} has not once ${piece}`);
      const rest = after === undefined ? tail.indexOf('\n') + 1 : 0;
      writeFileSync(place, head + piece + tail.slice(0, rest) + text + tail.slice(rest));
    }
    written.add(file);
  }
  return written;
}

/**
 * @param {string} copy
 * @param {string} folder
 */
function nextNumber(copy, folder) {
  const names = existsSync(path.join(copy, folder)) ? readdirSync(path.join(copy, folder)) : [];
  const last = Math.max(0, ...names.map((name) => Number(/^\d{4}/.exec(name)?.[0] ?? 0)));
  return String(last + 1).padStart(4, '0');
}

/**
 * The files that `npm run docs` may write, by their content.
 * @param {string} copy
 * @returns {Map<string, string>}
 */
function hashGenerated(copy) {
  const files = ['docs', 'clients', 'web/src/api', 'README.md'].flatMap((folder) =>
    execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean),
  );
  return new Map(
    files
      // clients/mcp/networks is a link to a folder.
      .filter((file) => statSync(path.join(copy, file), { throwIfNoEntry: false })?.isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(path.join(copy, file)))
          .digest('hex'),
      ]),
  );
}

/**
 * @param {string} copy
 * @param {string} script
 * @param {...string} args
 */
function run(copy, script, ...args) {
  try {
    execFileSync(process.execPath, [script, ...args], { cwd: copy, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${script} failed in the copy:\n${stdout}${stderr}`, { cause: error });
  }
}
