// The order of test files in a run: kinds whose files take longest come first, so that no worker is left with a slow
// file when the others have finished.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const kinds = ['generators', 'faults', 'browser', 'system', 'integration', 'unit', 'timing'];

export class SlowestKindFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => kinds.indexOf(a.project.name) - kinds.indexOf(b.project.name));
  }
}
