// Orders the test files of a run: kinds with the slowest files first, and of a kind those that take long although they are
// short, by which vitest orders what it has not run yet. So no worker is left with one when the others have finished.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const kinds = ['generators', 'faults', 'browser', 'system', 'integration', 'unit', 'timing'];

/** Short files whose tests are elsewhere, who run many programs, or who wait. */
const slowThoughShort =
  /\/contract\/|-workers\.test|\/scenarios-|\/pytest-|-attack\.test|\/postgres-(?:locks|backup|proxies)|\/webhooks-chat|\/smtp-memory|\/sealed-life|\/gmail-process/;

function rank({ project, moduleId }: TestSpecification): number {
  return 2 * kinds.indexOf(project.name) + (slowThoughShort.test(moduleId) ? 0 : 1);
}

export class SlowestKindFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
