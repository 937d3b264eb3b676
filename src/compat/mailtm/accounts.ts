// Accounts, which are sessions with a password: POST /accounts, POST /token, GET /me, GET and DELETE /accounts/{id}.

import { parseMailbox } from '#mail-receiver/address';
import type { Answer } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { parsePassword } from '../../domain/password.ts';
import { parsePrefix } from '../../domain/addresses/prefix.ts';
import type { Session } from '../../domain/session.ts';
import { toPasswordTries } from '../../http/access/access.ts';
import { hashToken } from '#sealing/token';
import {
  type CompatCall,
  type CompatContext,
  publicRoute,
  type SessionCall,
  sessionRoute,
} from '../dialect.ts';
import { Violation } from './errors.ts';
import { toAccountId } from './ids.ts';
import { type AccountLogin, readAccountLogin } from './read-json.ts';
import { answerResource, jsonType, noContent, type Resource, toDate } from './represent.ts';

type AccountContext = Pick<CompatContext, 'services' | 'access'>;

export const accountRoutes = [
  publicRoute(
    'POST /accounts',
    'creates the address, from `address` and `password`, in lower case, for the usual lifetime',
    createAccount,
  ),
  publicRoute(
    'POST /token',
    'logs in by `address` and `password`; a session’s token may replace its password',
    logIn,
  ),
  sessionRoute('GET /me', 'the account, with its quota and usage in bytes', ({ services }, call) =>
    answerResource(call, accountFor(call, call.live.session, services.limits.sessionBytes)),
  ),
  sessionRoute('GET /accounts/:id', 'the same', ({ services }, call) =>
    answerResource(call, accountFor(call, getOwn(call), services.limits.sessionBytes)),
  ),
  sessionRoute('DELETE /accounts/:id', 'ends the session', async ({ services, access }, call) => {
    const session = getOwn(call);
    if (call.headers.authorization === undefined) {
      throw new MayflyError('missing_token', 'The account used without credentials cannot be deleted.');
    }
    if (await services.endSession(session)) access.recordChanged(session, null);
    return noContent;
  }),
];

/**
 * mail.gw's accounts have `retentionAt` besides, which a client of it requires. mailtm-python accepts no unknown field;
 * it is known by its HTTP library.
 */
function accountFor(call: CompatCall, session: Session, quotaBytes: number): Resource {
  const account = toAccount(session, quotaBytes);
  if (/^python-requests\//.test(String(call.headers['user-agent']))) return account;
  return { ...account, fields: { ...account.fields, retentionAt: toDate(session.expiresAt) } };
}

/** `quotaBytes`: Infinity for no limit. */
export function toAccount(session: Session, quotaBytes: number): Resource {
  const id = toAccountId(session);
  const createdAt = toDate(session.createdAt);
  return {
    type: 'Account',
    path: `/accounts/${id}`,
    fields: {
      id,
      address: session.address,
      // JSON has no infinity.
      quota: Math.min(quotaBytes, Number.MAX_SAFE_INTEGER),
      used: session.messageBytes,
      isDisabled: false,
      isDeleted: false,
      createdAt,
      updatedAt: createdAt,
    },
  };
}

/** @throws MayflyError not_found for another session's account */
function getOwn({ live: { session }, parameters }: SessionCall): Session {
  if (parameters['id'] === toAccountId(session)) return session;
  throw new MayflyError('not_found', 'You have no account with this id.');
}

/** Makes a session with the default lifetime, under the same access rules as /create-session. */
async function createAccount({ services, access }: AccountContext, call: CompatCall): Promise<Answer> {
  const credentials = readAccountLogin(call);
  const { prefix, domainId } = await parseAddress(services, credentials.address);
  const { caller } = call;
  await asViolation('password', () => parsePassword(credentials.password));
  const grant = await access.admitCreate(caller, {
    prefix,
    challenge: credentials.challenge,
    wantsGmail: false,
    wantsWebhook: false,
  });
  const prepared = await services.preparePassword(credentials.password, caller.network);
  const lent = await asViolation('address', () => services.createSession({ prefix, domainId }));
  grant.recordMade(lent.session);
  await services.keepPassword(lent, prepared);
  return answerResource(call, accountFor(call, lent.session, services.limits.sessionBytes), 201);
}

/** @throws Violation */
async function parseAddress(
  services: AccountContext['services'],
  text: string,
): Promise<{ readonly prefix: string; readonly domainId: number }> {
  const address = parseMailbox(text);
  if (!address) throw new Violation('address', 'This value is not a valid email address.');
  const prefix = await asViolation('address', () => parsePrefix(address.localPart));
  const { domains } = await services.listDomains();
  const domain = domains.find(({ name }) => name === address.domain);
  if (!domain) throw new Violation('address', `The domain "${address.domain}" is not valid.`);
  return { prefix, domainId: domain.id };
}

/** Errors of the service that are attributed to a field. */
const violations: ReadonlySet<string> = new Set([
  ...['invalid_prefix', 'reserved_prefix', 'address_taken', 'unknown_domain'],
  ...['invalid_parameter', 'missing_parameter'],
]);

async function asViolation<T>(field: Violation['field'], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MayflyError) || !violations.has(error.code)) throw error;
    const isTaken = error.code === 'address_taken';
    throw new Violation(field, isTaken ? 'This value is already used.' : error.publicMessage);
  }
}

async function logIn(context: AccountContext, call: CompatCall): Promise<Answer> {
  const { token, session } = await reopen(context, call, readAccountLogin(call));
  const body = JSON.stringify({ id: toAccountId(session), token });
  return { headers: { 'content-type': jsonType }, body };
}

/** Reopens by the password, or by the token in its place when the session has none. */
async function reopen(
  { services, access }: AccountContext,
  call: CompatCall,
  { address, password }: AccountLogin,
): Promise<{ readonly token: string; readonly session: Session }> {
  if (hashToken(password)) {
    const { session } = await call.authenticate(password);
    if (session.address.toLowerCase() === address.toLowerCase()) return { token: password, session };
  }
  const tries = toPasswordTries(access, call.caller);
  return asViolation('password', () => services.reopenByPassword({ address, password }, tries));
}
