// Loads what keeps opened messages readable without the service (keeping.ts): for someone who was here before, whose kept
// messages may have to go, and else once there is something to keep or to show.
import { effect } from '@preact/signals';

import { current } from '../state/mailboxes.ts';
import { atFirstSign } from './first-sign.ts';
import type * as Keeping from './later/keeping.ts';
import { logFault } from './report-fault.ts';

let started: Promise<typeof Keeping> | undefined;

export function loadKeeping(): Promise<typeof Keeping> {
  started ??= start();
  return started;
}

async function start(): Promise<typeof Keeping> {
  try {
    const keeping = await import('./later/keeping.ts');
    keeping.startKeeping();
    return keeping;
  } catch (error) {
    started = undefined;
    throw error;
  }
}

export function keepWhenNeeded(wasHere: boolean): void {
  const prepare = (): void => {
    loadKeeping().catch(logFault);
  };
  if (wasHere) prepare();
  atFirstSign(prepare);
  effect(() => {
    if (current.value?.connection.value === 'waiting') prepare();
  });
}
