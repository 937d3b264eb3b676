// `mayfly postgres distribute`: spreads the schema over the workers of a Citus cluster.

import { OperatorError } from '../service/operating/operator-error.ts';
import { distribute, DistributeRefused, type DistributeOptions } from '../store/postgres/citus/distribute.ts';

export interface DistributeRequest extends DistributeOptions {
  /** Describes a fault of the database in one line without its URL. */
  readonly describeFault: (error: unknown) => string;
}

/** Returns how many steps are left. @throws OperatorError */
export async function distributeStore({ describeFault, ...options }: DistributeRequest): Promise<number> {
  try {
    const steps = await distribute(options);
    return options.isCheck ? steps : 0;
  } catch (error) {
    if (error instanceof DistributeRefused) throw new OperatorError(error.message, { cause: error });
    throw new OperatorError(
      `The database could not be distributed: ${describeFault(error)} Run it again to continue.`,
      {
        cause: error,
      },
    );
  }
}
