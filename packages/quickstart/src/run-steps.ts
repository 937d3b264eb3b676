// Runs a plan: each step is checked, applied when something differs, and undone with those before it when a later one
// fails. What was right already is neither applied nor undone.

export interface Step {
  /** A short noun phrase. */
  readonly name: string;
  /** Resolves with `done`, or with a sentence of what differs. */
  check(): Promise<string>;
  apply(): Promise<void>;
  /** Puts back what was there before `apply`, also after one that failed half-way. Absent when nothing is left over. */
  undo?(): Promise<void>;
}

export const done = 'done';

export type Progress =
  | { readonly kind: 'kept' | 'applied' | 'undone'; readonly step: string }
  | { readonly kind: 'differs'; readonly step: string; readonly what: string };

export interface Applied {
  /** Names of the steps that changed something. */
  readonly changed: readonly string[];
  /** Undoes them, the last one first. */
  undo(): Promise<void>;
}

/** A step that failed; what was applied before it is undone. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: string;

  constructor(step: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.step = step;
  }
}

/** @throws StepFailed */
export async function runSteps(
  steps: readonly Step[],
  tell: (progress: Progress) => void = () => undefined,
): Promise<Applied> {
  const applied: Step[] = [];
  const undo = async (): Promise<void> => {
    for (let step = applied.pop(); step; step = applied.pop()) {
      if (!step.undo) continue;
      await step.undo();
      tell({ kind: 'undone', step: step.name });
    }
  };
  const changed: string[] = [];
  for (const step of steps) {
    try {
      const what = await step.check();
      if (what === done) {
        tell({ kind: 'kept', step: step.name });
        continue;
      }
      tell({ kind: 'differs', step: step.name, what });
      applied.push(step);
      await step.apply();
      changed.push(step.name);
      tell({ kind: 'applied', step: step.name });
    } catch (error) {
      await undo();
      throw new StepFailed(step.name, error);
    }
  }
  return { changed, undo };
}
