// Orders the test files of a run: kinds with the slowest files first, so that no worker is left with one when the
// others have finished.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const kinds = ['generators', 'faults', 'browser', 'system', 'integration', 'unit', 'timing'];

export class SlowestKindFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => kinds.indexOf(a.project.name) - kinds.indexOf(b.project.name));
  }
}
