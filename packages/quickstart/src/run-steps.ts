// Runs a plan: each step is checked, applied when something differs, and undone with those before it when a later one
// fails. What was right already is neither applied nor undone.

import { messageOf } from '../../system-errors/src/error-message.ts';

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
  | { readonly kind: 'left'; readonly step: string; readonly why: string }
  | { readonly kind: 'differs'; readonly step: string; readonly what: string };

export interface Applied {
  /** Names of the steps that changed something. */
  readonly changed: readonly string[];
  /** Undoes them, the last one first; never rejects. Resolves with whether nothing is left. */
  undo(): Promise<boolean>;
}

/** A step that failed; what was applied before it is undone, unless it says so. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly step: string;
  readonly isUndone: boolean;

  constructor(step: string, cause: unknown, isUndone = true) {
    super(messageOf(cause), { cause });
    this.step = step;
    this.isUndone = isUndone;
  }
}

export interface RunOptions {
  readonly tell?: (progress: Progress) => void;
  /** Ends the run before the next step, as a failure would. */
  readonly signal?: AbortSignal;
}

/** @throws StepFailed */
export async function runSteps(
  steps: readonly Step[],
  { tell = () => undefined, signal }: RunOptions = {},
): Promise<Applied> {
  const applied: Step[] = [];
  const undo = async (): Promise<boolean> => {
    let isAll = true;
    for (let step = applied.pop(); step; step = applied.pop()) {
      try {
        await step.undo?.();
        if (step.undo) tell({ kind: 'undone', step: step.name });
      } catch (error) {
        // The other steps are undone all the same, so that as little as possible is left to do by hand.
        isAll = false;
        tell({ kind: 'left', step: step.name, why: messageOf(error) });
      }
    }
    return isAll;
  };
  const changed: string[] = [];
  for (const step of steps) {
    try {
      signal?.throwIfAborted();
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
      // An interrupted tool may have done its work all the same.
      signal?.throwIfAborted();
    } catch (error) {
      const reason: unknown = signal?.aborted === true ? signal.reason : error;
      throw new StepFailed(step.name, reason, await undo());
    }
  }
  return { changed, undo };
}
