// Routes for the one server of a token: its session.

import { isCapture } from '../../domain/addresses/capture.ts';
import type { Session } from '../../domain/session.ts';
import { type Answer, stringifyWellFormed } from '../../http/answers/answer.ts';
import { readCredentials } from '../credentials.ts';
import type { CompatApp, CompatCall, CompatContext } from '../dialect.ts';
import { parseObject } from './json-object.ts';
import { invalidField, notFound } from './mailosaur-error.ts';
import { toServerId } from './server-id.ts';

interface ServerView {
  readonly id: string;
  readonly name: string;
  readonly users: readonly string[];
  readonly messages: number;
}

const path = '/api/servers/:id';

export function addServerRoutes(
  app: CompatApp,
  { services, access }: Pick<CompatContext, 'services' | 'access'>,
): void {
  app.add({
    method: 'GET',
    path: '/api/servers',
    async serve(call) {
      const { session } = await call.authenticate();
      return { body: stringifyWellFormed({ items: [toServerView(session)] }) };
    },
  });

  app.add({ method: 'POST', path: '/api/servers', serve: refuseServer });

  app.add({
    method: 'GET',
    path,
    async serve(call) {
      return { body: stringifyWellFormed(toServerView(await getServer(call))) };
    },
  });

  app.add({ method: 'PUT', path, serve: renameServer });

  app.add({
    method: 'DELETE',
    path,
    async serve(call) {
      const session = await getServer(call);
      if (tokenOf(call) === undefined) {
        throw invalidField(
          'id',
          'The session used without credentials cannot be deleted; delete its messages.',
        );
      }
      if (await services.endSession(session)) access.noteChanged(session, null);
      return { status: 204, body: null };
    },
  });

  app.add({ method: 'GET', path: `${path}/password`, serve: showPassword });
}

/** @throws MayflyError not_found */
async function getServer(call: CompatCall): Promise<Session> {
  const { session } = await call.authenticate();
  if (call.parameters['id']?.toLowerCase() === toServerId(session)) return session;
  throw notFound('id', 'There is no server with this id.');
}

/** Returns undefined for a request without credentials. */
function tokenOf({ headers: { authorization } }: CompatCall): string | undefined {
  return typeof authorization === 'string' ? readCredentials(authorization) : undefined;
}

function toServerView(session: Session): ServerView {
  return { id: toServerId(session), name: nameOf(session), users: [], messages: session.messageCount };
}

/** Returns the domain of a capture session, or another session's address. */
function nameOf(session: Session): string {
  return isCapture(session) ? session.address.slice('*@'.length) : session.address;
}

async function refuseServer(call: CompatCall): Promise<Answer> {
  await call.authenticate();
  const { name } = parseObject(call.body);
  if (typeof name !== 'string' || name === '') throw invalidField('name', 'Servers need a name');
  throw invalidField('name', 'A token opens one server, its session. Lend a capture session for each.');
}

/** A server has its session's name: accepts only requests that change nothing. */
async function renameServer(call: CompatCall): Promise<Answer> {
  const session = await getServer(call);
  const { name } = parseObject(call.body);
  if (typeof name !== 'string' || name === '') throw invalidField('name', 'Servers need a name');
  if (name !== nameOf(session)) {
    throw invalidField('name', 'A server has the name of its session, which does not change.');
  }
  return { body: stringifyWellFormed(toServerView(session)) };
}

/** The SMTP password is the token that was given. */
async function showPassword(call: CompatCall): Promise<Answer> {
  await getServer(call);
  const value = tokenOf(call);
  if (value === undefined) {
    throw invalidField('id', 'The session used without credentials has none.');
  }
  return { body: stringifyWellFormed({ value }) };
}
