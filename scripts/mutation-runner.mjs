// Runs test files with one mutant on, for scripts/mutate.mjs, which forks this in its copy of the repository: a process
// of its own, since a mutant may hang it. Keeps one vitest, so that modules are compiled once.
import { BaseSequencer, createVitest } from 'vitest/node';

/** @typedef {{ mutant: number, hits: string, files: readonly string[] }} Job the file `hits` gets the mutants reached */
/** @typedef {{ files: readonly string[] } | { failed: readonly string[] }} Report the first one lists all test files */

const vitest = await createVitest('test', {
  project: ['unit', 'integration'],
  watch: false,
  bail: 1,
  fileParallelism: false,
  reporters: [{}],
});
const specifications = await vitest.globTestSpecifications(process.argv.slice(2));
const found = new Map(specifications.map((specification) => [specification.moduleId, specification]));
// Keeps the order of a job: the files most likely to fail come first.
vitest.config.sequence.sequencer = class extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  sort = async (files) => files;
};

process.on('message', (/** @type {Job} */ job) => {
  void run(job).then(report);
});
report({ files: [...found.keys()] });

/**
 * @param {Job} job
 * @returns {Promise<Report>}
 */
async function run({ mutant, hits, files }) {
  process.env['MUTANT'] = String(mutant);
  process.env['MUTANT_HITS'] = hits;
  // Failures of the job before would count towards `bail`.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const wanted = files.flatMap((file) => found.get(file) ?? []);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const failed = testModules.filter((module) => module.state() === 'failed').map(({ moduleId }) => moduleId);
  return { failed: failed.length > 0 || unhandledErrors.length === 0 ? failed : ['outside of a test'] };
}

/** @param {Report} message */
function report(message) {
  process.send?.(message);
}
