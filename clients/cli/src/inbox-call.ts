// The call of a command of `mayfly inbox` with its surroundings. Made by run.ts.

import type { Surroundings } from './find-inbox.ts';
import type { Screen } from './watch-inbox.ts';

/** The values by parameter. */
export type Given = Readonly<Record<string, string | number | boolean | undefined>>;

export interface InboxCall extends Surroundings {
  readonly given: Given;
  readonly out: Output;
}

/** Standard output. */
export interface Output extends Screen {
  write(text: string | Uint8Array): unknown;
}
