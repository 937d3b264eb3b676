// Resolves the token or ticket of a request to a live session. The token comes as a parameter or in Authorization; a
// ticket replaces it in links that are fetched without either. Used by serve-operation.ts.

import { readBearer } from '#http-parts/bearer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Share } from '../../domain/share.ts';
import { shareTokenPrefix } from '#sealing/share-token';
import type { Services } from '../../service/services.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import type { SessionOperation } from '../operation.ts';
import { conflictingValues, type GivenParameters } from '#http-parts/given-parameters';
import type { ParameterTable, ParameterValues, TextParameter } from '#values/parameter';

export const tokenParameter: TextParameter = {
  kind: 'text',
  description: 'The session token. `Authorization: Bearer` is better: query strings end up in logs.',
};

export const ticketParameter: TextParameter = {
  kind: 'text',
  description: 'In place of a token, from a link in read-mail; valid for that resource and for five minutes.',
};

export interface Admitted<T extends ParameterTable = ParameterTable> {
  readonly live: LiveSession;
  readonly parameters: ParameterValues<T>;
  readonly by: 'token' | 'ticket' | 'share';
  readonly share: Share | undefined;
}

type Authenticating = Pick<Services, 'authenticateToken' | 'authenticateTicket' | 'authenticateShare'>;

/**
 * Checks the token before any other parameter, so that strangers learn nothing else.
 * @throws MayflyError missing_token, unknown_token, session_expired, read_only, conflicting_parameters and those of
 * parameters
 */
export async function admit<T extends ParameterTable>(
  services: Authenticating,
  operation: SessionOperation<T>,
  given: { readonly parameters: GivenParameters; readonly authorization: string | undefined },
): Promise<Admitted<T>> {
  const token = readToken(given.parameters, given.authorization);
  const ticket =
    token === undefined && operation.ticketScope
      ? given.parameters.take('ticket', ticketParameter)
      : undefined;
  if (token?.startsWith(shareTokenPrefix)) return admitShare(services, operation, { token, ...given });
  if (ticket === undefined) {
    const live = await services.authenticateToken(token);
    const parameters = given.parameters.takeAll(operation.parameters);
    return { live, parameters, by: 'token', share: undefined };
  }
  const parameters = given.parameters.takeAll(operation.parameters);
  const scope = operation.ticketScope?.(parameters);
  if (!scope) throw new Error('The operation accepts no ticket.');
  const live = await services.authenticateTicket(String(ticket), scope);
  return { live, parameters, by: 'ticket', share: undefined };
}

/** A share of one message opens no other, and does not reveal whether there are others. */
async function admitShare<T extends ParameterTable>(
  services: Authenticating,
  operation: SessionOperation<T>,
  given: { readonly token: string; readonly parameters: GivenParameters },
): Promise<Admitted<T>> {
  const { live, share } = await services.authenticateShare(given.token);
  if (!operation.takesShare) {
    throw new MayflyError('read_only', 'A share may only read the session.', {
      parameter: 'token',
    });
  }
  const parameters = given.parameters.takeAll(operation.parameters);
  const id: unknown = 'id' in parameters ? parameters['id'] : undefined;
  if (share.messageId !== null && id !== undefined && id !== share.messageId) {
    throw new MayflyError('message_not_found', 'The share is for another message.', { parameter: 'id' });
  }
  return { live, parameters, by: 'share', share };
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
