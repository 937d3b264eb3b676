// One request of one admin operation: the admin key first, then the parameters, then the command. Used by
// create-admin-server.ts.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Keyring } from '../../service/keyring.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Access } from '../access/access.ts';
import type { Answer } from '../answer.ts';
import type { Caller } from '../caller.ts';
import { readBearer } from '../credentials.ts';
import { type CarriedPairs, GivenParameters } from '../parameters/given-parameters.ts';
import { queryOf } from '../serve-operation.ts';
import { type AdminContext, type AdminOperation, scopeOf } from './admin-operation.ts';

export interface AdminGate {
  readonly keyring: Pick<Keyring, 'use'>;
  readonly access: Pick<Access, 'noteWrongCredential'>;
}

export interface AdminCall {
  /** Path with query, as it came. */
  readonly url: string;
  readonly body: CarriedPairs;
  readonly authorization: string | undefined;
  readonly caller: Caller;
}

/** The returned function rejects with MayflyError for what the caller did, with anything else for a fault of ours. */
export function createAdminServing(
  operation: AdminOperation,
  context: AdminContext,
  gate: AdminGate,
): (call: AdminCall) => Promise<Answer> {
  const known: ReadonlySet<string> = new Set(Object.keys(operation.parameters));
  return async ({ url, body, authorization, caller }) => {
    requireAdmin(operation, gate, { authorization, caller });
    const given = new GivenParameters(known, queryOf(url), body);
    try {
      return await operation.run(context, given.takeAll(operation.parameters));
    } catch (error) {
      throw error instanceof OperatorError ? new MayflyError('command_refused', error.message) : error;
    }
  };
}

/** The key comes in the header alone: what stands in a URL ends up in logs. @throws MayflyError */
function requireAdmin(
  operation: AdminOperation,
  { keyring, access }: AdminGate,
  { authorization, caller }: Pick<AdminCall, 'authorization' | 'caller'>,
): void {
  const given = readBearer(authorization);
  if (given === undefined) {
    throw new MayflyError('invalid_api_key', 'Give an admin key as `Authorization: Bearer`.');
  }
  const holder = keyring.use(given, 'admin');
  if (!holder) {
    access.noteWrongCredential(caller);
    throw new MayflyError('invalid_api_key', 'The admin key is wrong or revoked.');
  }
  const scope = scopeOf(operation);
  if (holder.scopes.has(scope)) return;
  throw new MayflyError('insufficient_scope', `The admin key does not have the scope \`${scope}\`.`);
}
