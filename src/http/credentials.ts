// Token and ticket of a request to a live session. The token comes as a parameter or in Authorization; where a link
// may be fetched without either, a ticket stands for it. Used by serve-operation.ts.

import { authenticateTicket, authenticateToken, type LiveSession } from '../service/session-access.ts';
import type { SessionOperation } from './operation.ts';
import { conflictingValues, type GivenParameters } from './parameters/given-parameters.ts';
import type { ParameterTable, ParameterValues, TextParameter } from './parameters/parameter.ts';
import type { MailStore } from '../store/mail-store.ts';

export const tokenParameter: TextParameter = {
  kind: 'text',
  description:
    'The session token. `Authorization: Bearer` is better: query strings end up in other people’s logs.',
};

export const ticketParameter: TextParameter = {
  kind: 'text',
  description: 'In place of a token, from a link in read-mail: good for this one thing and five minutes.',
};

/**
 * The token of an Authorization field; undefined for none and for another scheme than Bearer, which is not ours to
 * judge (a proxy's Basic, for one).
 */
export function readBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer[ \t]+(\S.*)$/i.exec(authorization)?.[1]?.trim();
}

export interface Admission<T extends ParameterTable> {
  readonly live: LiveSession;
  readonly parameters: ParameterValues<T>;
  readonly by: 'token' | 'ticket';
}

/**
 * The token is checked before any other parameter is looked at, so that a stranger learns nothing but that.
 * @throws MayflyError missing_token, unknown_token, session_expired, conflicting_parameters and those of parameters
 */
export async function admit<T extends ParameterTable>(
  mail: MailStore,
  operation: SessionOperation<T>,
  given: { readonly parameters: GivenParameters; readonly authorization: string | undefined },
): Promise<Admission<T>> {
  const token = readToken(given.parameters, given.authorization);
  const ticket =
    token === undefined && operation.ticketScope
      ? given.parameters.take('ticket', ticketParameter)
      : undefined;
  if (ticket === undefined) {
    const live = await authenticateToken(mail, token);
    return { live, parameters: given.parameters.takeAll(operation.parameters), by: 'token' };
  }
  const parameters = given.parameters.takeAll(operation.parameters);
  const scope = operation.ticketScope?.(parameters);
  if (!scope) throw new Error('The operation takes no ticket.');
  return { live: await authenticateTicket(mail, String(ticket), scope), parameters, by: 'ticket' };
}

function readToken(parameters: GivenParameters, authorization: string | undefined): string | undefined {
  const taken = parameters.take('token', tokenParameter);
  const parameter = taken === undefined ? undefined : String(taken);
  const bearer = readBearer(authorization);
  if (parameter !== undefined && bearer !== undefined && parameter !== bearer) {
    throw conflictingValues('token');
  }
  return parameter ?? bearer;
}
