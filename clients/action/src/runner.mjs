// How an action speaks with the runner: inputs by the environment, outputs and variables by files. It has no packages, so
// that the action runs as it lies in the repository.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/**
 * @param {string} name as in action.yml
 * @returns {string} '' where it was not given
 */
export function readInput(name) {
  return (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
}

/** What main.mjs kept for post.mjs. @param {string} name */
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

/** Shows text on the job's page, where there is one. @param {string} html */
export function writeSummary(html) {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (file) appendFileSync(file, `${html}\n`);
}

/**
 * Prints lines of which none is a command to the runner, whatever senders of mail wrote into them.
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
