// Lists the parameters of an operation with those of its credentials, for serving it, documenting it, and warning of
// others.

import type { ParameterTable } from '#values/parameter';
import { ticketParameter, tokenParameter } from '../guards/credentials.ts';
import type { Operation } from '../operation.ts';

/** Every parameter that a request of the operation may have, including token and ticket. */
export function allParameters(operation: Operation): ParameterTable {
  if (operation.access === 'public') return operation.parameters;
  return {
    token: tokenParameter,
    ...(operation.ticketScope ? { ticket: ticketParameter } : {}),
    ...operation.parameters,
  };
}
