// The reason why the service cannot start, in one line for the operator. Thrown by the composition root, printed by
// main.ts.

import { codeOf } from '#system-errors/error-code';
import { messageOf } from '#system-errors/error-message';
import { ConfigError } from '#config/load-config';

/** Exit status for errors that persist (EX_CONFIG of sysexits.h): a supervisor need not retry. */
export const lastingStatus = 78;

export interface StartErrorOptions {
  readonly cause?: unknown;
  /** Whether retrying is pointless until the operator changes something. */
  readonly isLasting?: boolean;
  /** A sentence that follows the message and says how to correct it. */
  readonly remedy?: string;
}

export class StartError extends Error {
  override readonly name = 'StartError';
  readonly isLasting: boolean;
  /** The message without the remedy. */
  readonly fault: string;

  constructor(fault: string, { cause, isLasting = false, remedy = '' }: StartErrorOptions = {}) {
    super(remedy === '' ? fault : `${fault}. ${remedy}`, { cause });
    this.isLasting = isLasting;
    this.fault = fault;
  }
}

/** By error code, for a listener whose settings begin with this name. */
const remedies: Readonly<Record<string, (settings: string) => string>> = {
  EADDRINUSE: (settings) => `${settings}_PORT sets another port.`,
  EACCES: (settings) => `${settings}_PORT sets another port; one below 1024 needs a permission.`,
  EADDRNOTAVAIL: (settings) => `${settings}_HOST must be an address of this machine.`,
  ENOTFOUND: (settings) => `${settings}_HOST must be an address of this machine.`,
};

/**
 * Waits for a part to start; converts its failure to a StartError that names the part and, for a listener, the setting
 * to change. `settings` begins the names of its host and port, such as MAYFLY_SMTP.
 */
export async function starting<T>(what: string, part: Promise<T>, settings?: string): Promise<T> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw error;
    const code = String(codeOf(error));
    // A port below 1024 without the permission for it.
    const isLasting = code === 'EACCES';
    const remedy = settings === undefined ? undefined : remedies[code]?.(settings);
    throw new StartError(`${what}: ${messageOf(error)}`, {
      cause: error,
      isLasting,
      ...(remedy === undefined ? {} : { remedy }),
    });
  }
}
