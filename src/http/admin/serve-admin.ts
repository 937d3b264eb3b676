// Handles one request of one operator command. From the network, it checks the admin key and the parameters before it
// runs the command; requests from this machine come over the socket in the data folder. Used by create-admin-server.ts.

import type { CarriedPairs } from '#http-parts/body';
import type { Answer } from '#http-parts/answer';
import { writeJson } from '#http-parts/slices';
import { isSignIn } from '#passkeys/sign-in';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { OperatorCommand, OperatorContext } from '../../operator/command.ts';
import { signedInActor } from '../../operator/passkeys.ts';
import { type CommandCall, noteRefused, runCommand } from '../../operator/run-command.ts';
import type { KeyHolder, Keyring } from '../../service/operating/keyring.ts';
import type { TokenHolder } from '../../service/operating/sign-ins.ts';
import { OperatorError } from '../../service/operating/operator-error.ts';
import type { Access } from '../access/access.ts';
import type { Caller } from '../caller.ts';
import { readBearer } from '#http-parts/bearer';
import { GivenParameters } from '#http-parts/given-parameters';
import { queryOf } from '../server/serve-operation.ts';
import { scopeOf } from './admin-operations.ts';

/** Ends every JSON answer. */
const lineFeed = Buffer.from('\n');

export interface AdminGate {
  readonly keyring: Pick<Keyring, 'use' | 'isInForce'>;
  readonly access: Pick<Access, 'recordWrongCredential' | 'requireTries'>;
}

export interface AdminCall {
  /** Path with query, as received. */
  readonly url: string;
  readonly body: CarriedPairs;
  readonly authorization: string | undefined;
  readonly caller: Caller;
  /** The user of this machine, as the command line names it; trusted only on the socket. */
  readonly user?: string | undefined;
}

/** Rejects with MayflyError for the caller's errors, and with anything else for errors of our own. */
export type ServeAdmin = (call: AdminCall) => Promise<Answer>;

export function createAdminServing(
  command: OperatorCommand,
  context: OperatorContext,
  gate: AdminGate,
): ServeAdmin {
  const known: ReadonlySet<string> = new Set(Object.keys(command.parameters));
  return async ({ url, body, authorization, caller }) => {
    const admitted = await admit({ command, context, gate }, { authorization, caller });
    try {
      return await answer({ command, ...admitted }, new GivenParameters(known, queryOf(url), body));
    } catch (error) {
      const isWrong = error instanceof MayflyError && error.code === 'invalid_api_key';
      if (command.isOpen === true && isWrong) gate.access.recordWrongCredential(caller);
      throw error;
    }
  };
}

/**
 * Serves the owner of the data folder, who needs no key. Input from the command line is taken literally: an empty text
 * is a value, and unknown parameters are refused.
 */
export function createLocalServing(command: OperatorCommand, context: OperatorContext): ServeAdmin {
  const known: ReadonlySet<string> = new Set(Object.keys(command.parameters));
  return ({ url, body, user = '' }) => {
    const query = queryOf(url);
    const names = [...new URLSearchParams(query).keys(), ...body.map(([name]) => name)];
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw new MayflyError(
        'invalid_parameter',
        `The running service does not know \`${unknown}\` of the command; is it a different version?`,
        { parameter: unknown },
      );
    }
    const actor = { kind: 'command line', name: user } as const;
    const given = new GivenParameters(known, query, body, { takesEmptyText: true });
    return answer({ command, context, actor }, given);
  };
}

async function answer(call: CommandCall, given: GivenParameters): Promise<Answer> {
  try {
    const content = await runCommand(call, given.takeAll(call.command.parameters));
    return { body: Buffer.concat([await writeJson({ status: 'success', ...content }), lineFeed]) };
  } catch (error) {
    throw error instanceof OperatorError ? new MayflyError('command_refused', error.message) : error;
  }
}

interface Admission extends Pick<CommandCall, 'command' | 'context'> {
  readonly gate: AdminGate;
}

/** A key is accepted only in the header, because URLs end up in logs. @throws MayflyError */
async function admit(
  { command, context, gate }: Admission,
  given: Pick<AdminCall, 'authorization' | 'caller'>,
): Promise<Pick<CommandCall, 'context' | 'actor'>> {
  if (command.isOpen === true) {
    gate.access.requireTries(given.caller);
    return { context, actor: { kind: 'link', name: '' } };
  }
  const holder = await requireHolder(gate, context, given);
  const passkey = 'token' in holder ? holder.passkeyName : undefined;
  const actor = signedInActor(holder.name, passkey);
  const missing = missingScope(command, holder);
  if (missing) await noteRefused({ command, context, actor }, missing.publicMessage);
  if (missing) throw missing;
  return { context: 'token' in holder ? { ...context, signedIn: holder } : context, actor };
}

/** For what is no command. Resolves with what tells whether the caller is still admitted. @throws MayflyError */
export async function requireScope(
  wanted: Pick<OperatorCommand, 'method'>,
  { gate, context }: Omit<Admission, 'command'>,
  given: Pick<AdminCall, 'authorization' | 'caller'>,
): Promise<() => boolean> {
  const holder = await requireHolder(gate, context, given);
  const missing = missingScope(wanted, holder);
  if (missing) throw missing;
  if (!('token' in holder)) return () => gate.keyring.isInForce({ keyId: holder.id, passkeyId: null });
  const signIns = await context.operator.signIns?.();
  return () => signIns?.isInForce(holder) === true;
}

function missingScope(wanted: Pick<OperatorCommand, 'method'>, holder: KeyHolder): MayflyError | undefined {
  const scope = scopeOf(wanted);
  if (holder.scopes.has(scope)) return undefined;
  return new MayflyError('insufficient_scope', `The admin key does not have the scope \`${scope}\`.`);
}

type Holder = KeyHolder | TokenHolder;

/** @throws MayflyError */
async function requireHolder(
  { keyring, access }: AdminGate,
  { operator: { signIns } }: OperatorContext,
  { authorization, caller }: Pick<AdminCall, 'authorization' | 'caller'>,
): Promise<Holder> {
  const given = readBearer(authorization);
  if (given === undefined) {
    throw new MayflyError('invalid_api_key', 'An admin key is required as `Authorization: Bearer`.');
  }
  const tokens = isSignIn(given) ? await signIns?.() : undefined;
  const holder = tokens ? tokens.use(given) : keyring.use(given, 'admin');
  if (holder) return holder;
  access.recordWrongCredential(caller);
  throw new MayflyError('invalid_api_key', tokens?.whyNot(given) ?? 'The admin key is wrong or revoked.');
}
