// Handles one request of one operation, from the framework's input to the answer. Requests are checked in this order:
// host, path and method (server), media type, size and syntax of the body (server), token, other parameters, then the
// operation's own checks.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { withRequester } from '../../service/session/turn-owner.ts';
import type { Answer } from '../answers/answer.ts';
import type { Caller } from '../caller.ts';
import { allParameters } from '../parameters/all-parameters.ts';
import { admit, type Admission } from '../guards/credentials.ts';
import type { Operation, OperationContext, SessionOperation } from '../operation.ts';
import { type DescribeUnknown, withWarnings } from '../parameters/parameter-warnings.ts';
import { type CarriedPairs, GivenParameters } from '../parameters/given-parameters.ts';
import type { ParameterTable } from '../../domain/parameter.ts';

export interface RawCall {
  /** Path with query, as received. */
  readonly url: string;
  readonly body: CarriedPairs;
  readonly authorization: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly lastEventId: string | undefined;
  readonly caller: Caller;
  readonly isHead: boolean;
}

/**
 * The returned function rejects with MayflyError for the caller's errors, and with anything else for errors of our own.
 */
export function createServing(
  operation: Operation,
  context: OperationContext,
  describeUnknown: DescribeUnknown,
): (call: RawCall) => Promise<Answer> {
  const known: ReadonlySet<string> = new Set(Object.keys(allParameters(operation)));
  const answer = createAnswering(operation, context);
  return async ({ url, body, ...call }) => {
    const given = new GivenParameters(known, queryOf(url), body);
    const answered = await answer(given, call);
    if (given.unknown.size === 0 || typeof operation.answers === 'string') return answered;
    return withWarnings(answered, describeUnknown(operation, given.unknown));
  };
}

function createAnswering(
  operation: Operation,
  context: OperationContext,
): (given: GivenParameters, call: Omit<RawCall, 'url' | 'body'>) => Promise<Answer> {
  return async (given, { authorization, ...carried }) => {
    if (operation.access === 'public') {
      return operation.run(context, { parameters: given.takeAll(operation.parameters), ...carried });
    }
    const { live, parameters, by, share } = await admitCounted(context, operation, {
      given,
      authorization,
      ...carried,
    });
    carried.caller.noteSession(live.session.key);
    context.access.takeRequest(carried.caller, live.session, by);
    const session = withRequester(live.session, carried.caller);
    return operation.run(context, { live: { ...live, session }, parameters, share, ...carried });
  };
}

interface Admitting {
  readonly given: GivenParameters;
  readonly authorization: string | undefined;
  readonly caller: Caller;
}

/** Counts a wrong token or ticket against the client's address. */
async function admitCounted<T extends ParameterTable>(
  { services, access }: OperationContext,
  operation: SessionOperation<T>,
  { given, authorization, caller }: Admitting,
): Promise<Admission<T>> {
  try {
    return await admit(services, operation, { parameters: given, authorization });
  } catch (error) {
    if (error instanceof MayflyError && error.code === 'unknown_token') access.noteWrongCredential(caller);
    throw error;
  }
}

/** Returns the part of a target after `?`, undecoded. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const fragment = url.indexOf('#', mark);
  return url.slice(mark + 1, fragment === -1 ? undefined : fragment);
}
