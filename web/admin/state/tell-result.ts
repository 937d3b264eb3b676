// Carries something out that needs no dialog, and tells what came of it at the foot of the page.

import { notify } from '../../src/app/notices.ts';
import { OperationError } from '../api/call-operation.ts';
import { describeProblem } from '../texts/describe-problem.ts';

export function tellResult<A>(
  work: Promise<A>,
  done: string | ((answer: A) => string),
  onChanged: () => void,
): void {
  work.then(
    (answer) => {
      notify({ kind: 'info', text: typeof done === 'string' ? done : done(answer) });
      onChanged();
    },
    (error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
      notify({ kind: 'error', text: describeProblem(error) });
    },
  );
}
