// Runs the programs of a release.
import { spawnSync } from 'node:child_process';

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {string} cwd
 * @returns {string} its output
 * @throws Error with what it printed, when it fails
 */
export function run(program, words, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (error) throw new Error(`cannot run ${program}: ${error.message}`);
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
