// What one operation of the admin interface is: as operation.ts, for the operator alone. Each does what a command of
// the CLI does, through the same service.

import type { AdminScope } from '../../domain/api-key.ts';
import type { OperatorDeps } from '../../service/operator-deps.ts';
import type { Answer } from '../answer.ts';
import type { Health } from '../operation.ts';
import type { ParameterTable, ParameterValues } from '../parameters/parameter.ts';

export interface AdminContext {
  readonly operator: OperatorDeps;
  readonly health: Health;
  readonly version: string;
}

/** `run` is declared as a method so that operations of different parameters fit in one list. */
export interface AdminOperation<T extends ParameterTable = ParameterTable> {
  /** GET needs the scope `read`, POST `write`. */
  readonly method: 'GET' | 'POST';
  readonly path: `/admin/${string}`;
  readonly summary: string;
  readonly parameters: T;
  run(context: AdminContext, parameters: ParameterValues<T>): Promise<Answer>;
}

/** Only lets the compiler infer the parameters. */
export function adminOperation<const T extends ParameterTable>(
  operation: AdminOperation<T>,
): AdminOperation<T> {
  return operation;
}

export function scopeOf({ method }: Pick<AdminOperation, 'method'>): AdminScope {
  return method === 'GET' ? 'read' : 'write';
}
