// Why the service cannot start, in one line for the operator. Thrown by the composition, printed by main.ts.

import { ConfigError } from '../config/load-config.ts';

/** Exit status of what is lasting (EX_CONFIG of sysexits.h): a supervisor need not try again. */
export const lastingStatus = 78;

export interface StartErrorOptions {
  readonly cause?: unknown;
  /** Nothing but a change of the operator's mends it: trying again is of no use. */
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

/** Waits for a part to start; its failure becomes a StartError that says which part it was. */
export async function starting<T>(what: string, part: Promise<T>): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw error;
    // Of a port below 1024 without the right to it.
    const isLasting = (error as { code?: unknown }).code === 'EACCES';
    throw new StartError(`${what}: ${(error as Error).message}`, { cause: error, isLasting });
  }
}
