// One request of one operation, from what the framework read to the answer. The order in which a request is checked:
// host, path and method (server), media type, size and syntax of the body (server), token, other parameters, and
// then what the operation itself finds.

import type { Asker } from '../service/wait-for.ts';
import type { Answer } from './answer.ts';
import { admit, ticketParameter, tokenParameter } from './credentials.ts';
import type { Operation, OperationContext } from './operation.ts';
import { type CarriedPairs, GivenParameters } from './parameters/given-parameters.ts';
import type { ParameterTable } from './parameters/parameter.ts';

export interface RawCall {
  /** Path with query, as it came. */
  readonly url: string;
  readonly body: CarriedPairs;
  readonly authorization: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly lastEventId: string | undefined;
  readonly asker: Asker;
  readonly isHead: boolean;
}

/** Every parameter that a request of the operation may carry, the token's and the ticket's included. */
export function allParameters(operation: Operation): ParameterTable {
  if (operation.access === 'public') return operation.parameters;
  return {
    token: tokenParameter,
    ...(operation.ticketScope ? { ticket: ticketParameter } : {}),
    ...operation.parameters,
  };
}

/** The returned function rejects with MayflyError for what the caller did, with anything else for a fault of ours. */
export function createServing(
  operation: Operation,
  context: OperationContext,
): (call: RawCall) => Promise<Answer> {
  const known: ReadonlySet<string> = new Set(Object.keys(allParameters(operation)));
  return async ({ url, body, authorization, ...carried }) => {
    const given = new GivenParameters(known, queryOf(url), body);
    if (operation.access === 'public') {
      return operation.run(context, { parameters: given.takeAll(operation.parameters), ...carried });
    }
    const { live, parameters } = await admit(context.deps.mail, operation, {
      parameters: given,
      authorization,
    });
    return operation.run(context, { live, parameters, ...carried });
  };
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const fragment = url.indexOf('#', mark);
  return url.slice(mark + 1, fragment === -1 ? undefined : fragment);
}
