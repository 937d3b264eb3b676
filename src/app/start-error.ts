// The reason why the service cannot start, in one line for the operator. Thrown by the composition root, printed by
// main.ts.

import { ConfigError } from '../config/load-config.ts';

/** Exit status for errors that persist (EX_CONFIG of sysexits.h): a supervisor need not retry. */
export const lastingStatus = 78;

export interface StartErrorOptions {
  readonly cause?: unknown;
  /** Whether retrying is pointless until the operator changes something. */
  readonly isLasting?: boolean;
}

export class StartError extends Error {
  override readonly name = 'StartError';
  readonly isLasting: boolean;

  constructor(message: string, { cause, isLasting = false }: StartErrorOptions = {}) {
    super(message, { cause });
    this.isLasting = isLasting;
  }
}

/** Waits for a part to start; converts its failure to a StartError that names the part. */
export async function starting<T>(what: string, part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw error;
    // A port below 1024 without the permission for it.
    const isLasting = (error as { code?: unknown }).code === 'EACCES';
    throw new StartError(`${what}: ${(error as Error).message}`, { cause: error, isLasting });
  }
}
