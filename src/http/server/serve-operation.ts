// Handles one request of one operation, from the framework's input to the answer. Requests are checked in this order:
// host, path and method (server), media type, size and syntax of the body (server), token, other parameters, then the
// operation's own checks.

import type { CarriedPairs } from '#http-parts/body';
import type { Answer } from '#http-parts/answer';
import type { Caller } from '../caller.ts';
import { admitCounted } from '../guards/admit-counted.ts';
import { allParameters } from '../parameters/all-parameters.ts';
import { admit } from '../guards/credentials.ts';
import type { Operation, OperationContext, SessionOperation } from '../operation.ts';
import { type DescribeUnknown, withWarnings } from '../parameters/parameter-warnings.ts';
import { GivenParameters } from '#http-parts/given-parameters';

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
    const { live, parameters, share } = await admitCounted(context.access, carried.caller, () =>
      admit(context.services, operation, { parameters: given, authorization }),
    );
    return operation.run(context, { live, parameters, share, ...carried });
  };
}

type Admitting = Pick<RawCall, 'url' | 'authorization' | 'caller'>;

/**
 * For an operation that takes a file. The returned function checks the credentials before the body is read, and resolves
 * with what serves it.
 */
export function createFileServing(
  operation: SessionOperation,
  context: OperationContext,
): (call: Admitting) => Promise<(file: Buffer) => Promise<Answer>> {
  const known: ReadonlySet<string> = new Set(Object.keys(allParameters(operation)));
  return async ({ url, authorization, caller }) => {
    const given = new GivenParameters(known, queryOf(url), []);
    const { live, parameters, share } = await admitCounted(context.access, caller, () =>
      admit(context.services, operation, { parameters: given, authorization }),
    );
    const carried = { ifNoneMatch: undefined, lastEventId: undefined, isHead: false, caller };
    return async (file) => operation.run(context, { live, parameters, share, file, ...carried });
  };
}

/** Returns the part of a target after `?`, undecoded. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const fragment = url.indexOf('#', mark);
  return url.slice(mark + 1, fragment === -1 ? undefined : fragment);
}
