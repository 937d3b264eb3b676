import type { BenchRun } from './bench-run.ts';
import type { Figure } from './figure.ts';
export function measureFilled(run: BenchRun): Promise<readonly Figure[]> {
  run.say('not yet');
  return Promise.resolve([]);
}
