// The exchange between an action and the runner: inputs in the environment, outputs and variables in files. It has no
// dependencies, so that the action runs directly from the repository.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/**
 * @param {string} name as in action.yml
 * @returns {string} '' if not given
 */
export function readInput(name) {
  return (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
}

/** Reads a value that main.mjs saved for post.mjs. @param {string} name */
export function readState(name) {
  return process.env[`STATE_${name}`] ?? '';
}

/**
 * @param {'GITHUB_OUTPUT' | 'GITHUB_ENV' | 'GITHUB_STATE'} target
 * @param {Readonly<Record<string, string>>} values
 */
export function write(target, values) {
  const file = process.env[target];
  if (!file) throw new Error(`${target} is not set: this is run by a GitHub runner.`);
  for (const [name, value] of Object.entries(values)) {
    const end = `end-${randomUUID()}`;
    appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`);
  }
}

/** Shows text on the job's page, if it has one. @param {string} html */
export function writeSummary(html) {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file) appendFileSync(file, `${html}\n`);
}

/**
 * Prints lines that contain text from senders of mail, and prevents the runner from taking any as a command.
 * @param {readonly string[]} lines
 */
export function printForeign(lines) {
  const word = randomUUID();
  const text = lines.map((line) => line.replaceAll('##[', '# #[')).join('\n');
  process.stdout.write(`::stop-commands::${word}\n${text}\n::${word}::\n`);
}

/** Marks the step as failed. @param {unknown} error */
export function fail(error) {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=Mayfly::${line}\n`);
  process.exitCode = 1;
}
