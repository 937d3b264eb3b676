// A copy of the repository for scripts/mutate.mjs, below build/, whose sources contain all mutants of a sample behind a
// switch. The checkout itself is never changed. Also runs scripts/mutation-runner.mjs in it.
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { copyRepository } from './copy-repository.mjs';
import { writeMutants } from './mutants.mjs';

/** @typedef {import('./mutants.mjs').NumberedMutant} NumberedMutant */
/** @typedef {import('./mutation-runner.mjs').Job} Job */
/** @typedef {import('./mutation-runner.mjs').Report} Report */

/** Hits are written at once, since a mutant may end the process. */
const switchModule = 'src/mutant-switch.ts';
const switchCode = `// Turns one mutant on, and writes down which were reached.
import { appendFileSync } from 'node:fs';
const [on, hits] = [Number(process.env['MUTANT'] ?? '0'), process.env['MUTANT_HITS'] ?? ''];
const reached = new Set<number>();
export function isMutant(id: number): boolean {
  if (hits !== '' && !reached.has(id)) {
    reached.add(id);
    appendFileSync(hits, id + '\\n');
  }
  return id === on;
}
`;

/**
 * Returns the folder of the copy.
 * @param {string} root
 * @param {readonly NumberedMutant[]} mutants
 */
export function createCopy(root, mutants) {
  const copy = copyRepository(root, 'mutants');
  writeFileSync(path.join(copy, switchModule), switchCode);
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const specifier = path.posix.relative(path.posix.dirname(file), switchModule);
    const inFile = mutants.filter((mutant) => mutant.file === file);
    const written = writeMutants(
      readFileSync(path.join(root, file), 'utf8'),
      inFile,
      specifier.startsWith('.') ? specifier : `./${specifier}`,
    );
    writeFileSync(path.join(copy, file), written);
  }
  return copy;
}

/** Runs test files in the copy, in a process group that is killed when a mutant hangs it, and started again. */
export class TestRunner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @readonly */
  #hits;
  /** @readonly */
  #copy;
  /** @readonly */
  #filters;

  /** @param {{ copy: string, name: string, filters: readonly string[] }} options `filters` choose the test files */
  constructor({ copy, name, filters }) {
    this.#copy = copy;
    this.#hits = path.join(copy, `hits-${name}`);
    this.#filters = filters;
    // Before the copy is removed.
    process.prependOnceListener('exit', () => this.#kill());
  }

  /**
   * Starts the runner, which builds the service once, and returns all test files.
   * @returns {Promise<readonly string[]>}
   */
  async start() {
    this.#child = fork('scripts/mutation-runner.mjs', this.#filters, {
      cwd: this.#copy,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const report = await this.#receive(10 * 60_000);
    if (report === undefined || !('files' in report)) throw new Error('vitest did not start in the copy');
    return report.files;
  }

  /**
   * @param {Omit<Job, 'hits'>} job
   * @param {number} limitMs
   * @returns {Promise<{ failed: readonly string[], hits: readonly number[] }>} a run past the limit counts as failed
   */
  async run(job, limitMs) {
    if (this.#child === undefined) await this.start();
    writeFileSync(this.#hits, '');
    this.#child?.send({ ...job, hits: job.mutant === 0 ? this.#hits : '' });
    const report = await this.#receive(limitMs);
    const hits = readFileSync(this.#hits, 'utf8').split('\n').filter(Boolean).map(Number);
    if (report === undefined) this.#kill();
    return { failed: report && 'failed' in report ? report.failed : ['time limit'], hits };
  }

  /**
   * @param {number} limitMs
   * @returns {Promise<Report | undefined>} undefined if it did not come in time, or the runner ended
   */
  #receive(limitMs) {
    const child = this.#child;
    return new Promise((resolve) => {
      const giveUp = () => end(undefined);
      const timer = setTimeout(giveUp, limitMs);
      /** @param {unknown} report */
      const end = (report) => {
        clearTimeout(timer);
        child?.off('message', end).off('exit', giveUp);
        resolve(/** @type {Report | undefined} */ (report));
      };
      child?.once('message', end).once('exit', giveUp);
    });
  }

  #kill() {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
    }
  }
}
