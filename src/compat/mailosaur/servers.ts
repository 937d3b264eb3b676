// Routes for the one server of a token: its session.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { domainOf, isCapture } from '../../domain/addresses/capture.ts';
import type { Session } from '../../domain/session.ts';
import { readCredentials } from '../credentials.ts';
import { type SessionCall, sessionRoute } from '../dialect.ts';
import { parseObject } from './json-object.ts';
import { invalidField, notFound } from './mailosaur-error.ts';
import { toServerId } from './server-id.ts';

interface ServerView {
  readonly id: string;
  readonly name: string;
  readonly users: readonly string[];
  readonly messages: number;
}

export const serverRoutes = [
  sessionRoute('GET /api/servers', 'the session as a server', (_context, { live: { session } }) =>
    showJson({ items: [toServerView(session)] }),
  ),
  sessionRoute('POST /api/servers', '400: a token opens one server', (_context, { body }) => {
    readName(body);
    throw invalidField('name', 'A token opens one server, its session. Lend a capture session for each.');
  }),
  sessionRoute('GET /api/servers/:id', 'the same; `messages` is the message count', (_context, call) =>
    showJson(toServerView(getServer(call))),
  ),
  sessionRoute('PUT /api/servers/:id', 'accepts only requests that change nothing', (_context, call) => {
    const session = getServer(call);
    if (readName(call.body) === nameOf(session)) return showJson(toServerView(session));
    throw invalidField('name', 'A server has the name of its session, which does not change.');
  }),
  sessionRoute('DELETE /api/servers/:id', 'ends the session', async ({ services, access }, call) => {
    const session = getServer(call);
    if (tokenOf(call) === undefined) {
      throw invalidField(
        'id',
        'The session used without credentials cannot be deleted; delete its messages.',
      );
    }
    if (await services.endSession(session)) access.recordChanged(session, null);
    return { status: 204, body: null };
  }),
  sessionRoute(
    'GET /api/servers/:id/password',
    'the token, for SMTP AUTH as the server’s id, alone or as `ID@DOMAIN`',
    (_context, call) => {
      getServer(call);
      const value = tokenOf(call);
      if (value !== undefined) return showJson({ value });
      throw invalidField('id', 'The session used without credentials has none.');
    },
  ),
];

/** @throws MayflyError not_found */
function getServer({ live: { session }, parameters }: SessionCall): Session {
  if (parameters['id']?.toLowerCase() === toServerId(session)) return session;
  throw notFound('id', 'There is no server with this id.');
}

/** Returns undefined for a request without credentials. */
function tokenOf({ headers: { authorization } }: SessionCall): string | undefined {
  return typeof authorization === 'string' ? readCredentials(authorization) : undefined;
}

/** @throws MayflyError invalid_parameter, malformed_body */
function readName(body: Buffer): string {
  const { name } = parseObject(body);
  if (typeof name === 'string' && name !== '') return name;
  throw invalidField('name', 'Servers need a name');
}

function showJson(value: object): Answer {
  return { body: stringifyWellFormed(value) };
}

function toServerView(session: Session): ServerView {
  return { id: toServerId(session), name: nameOf(session), users: [], messages: session.messageCount };
}

/** Returns the domain of a capture session, or another session's address. */
function nameOf(session: Session): string {
  return isCapture(session) ? domainOf(session.address) : session.address;
}
