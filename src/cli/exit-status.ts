// The exit statuses of the program, as in sysexits.h. Those of `mayfly inbox` are its own.

import { lastingStatus } from '../app/start-error.ts';

export const exitStatus = { failed: 1, usage: 64, software: 70, config: lastingStatus } as const;
