// Ends the process on an error that it cannot go on with.

import type { Logger } from '#telemetry/logger';
import { exitStatus } from './exit-status.ts';

export function endBroken(log: Logger, event: string, error: unknown): never {
  log.error(event, { error });
  process.exit(exitStatus.software);
}
