// Lends an address: picks a domain, makes or checks the local part, claims it and hands out the token. Called by the
// HTTP interface.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../domain/mayfly-error.ts';
import { parsePrefix, randomLocalPart } from '../domain/prefix.ts';
import type { Session } from '../domain/session.ts';
import { createDataKey } from '../secrets/seal.ts';
import { createToken, hashToken, toSessionKey } from '../secrets/token.ts';
import type { DirectoryStore, Domain } from '../store/directory-store.ts';
import type { MailStore } from '../store/mail-store.ts';
import type { SessionLimits } from './session-limits.ts';
import { parseLifetimeMs } from './lifetime.ts';

export interface CreateSessionRequest {
  /** Untrusted; checked here. */
  readonly prefix?: string | undefined;
  readonly domainId?: number | undefined;
  readonly useGmail?: boolean | undefined;
  readonly gmailAuto?: boolean | undefined;
  readonly gmailId?: number | undefined;
  readonly lifetimeSeconds?: number | undefined;
}

export interface LentSession {
  /** Known to the caller alone from here on. */
  readonly token: string;
  readonly session: Session;
}

export interface CreateSessionDeps {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

/** Random names collide once in 2^54; more than a few in a row is a fault. */
const randomTries = 5;

/**
 * @throws MayflyError invalid_prefix, reserved_prefix, invalid_parameter, conflicting_parameters, unknown_domain,
 * unknown_gmail_account, address_taken, no_domain_available, no_gmail_account_available
 */
export async function createSession(
  deps: CreateSessionDeps,
  request: CreateSessionRequest,
): Promise<LentSession> {
  const lifetimeMs = parseLifetimeMs(deps.limits, request.lifetimeSeconds);
  const prefix = request.prefix === undefined ? undefined : parsePrefix(request.prefix);
  if (wantsGmail(request)) throw noGmailAccount(request);
  const domains = await chooseDomains(deps.directory, request.domainId);
  for (let attempt = 0; attempt < randomTries; attempt++) {
    for (const domain of domains) {
      const localPart = prefix ?? randomLocalPart(randomBytes);
      const lent = await claim(deps, `${localPart}@${domain.name}`, { domain, lifetimeMs });
      if (lent) return lent;
    }
    if (prefix !== undefined) throw addressTaken();
  }
  throw new Error('Every random address was taken.');
}

function addressTaken(): MayflyError {
  return new MayflyError(
    'address_taken',
    'This address is in use or rests after use; choose another prefix.',
    { parameter: 'prefix' },
  );
}

function wantsGmail(request: CreateSessionRequest): boolean {
  const { useGmail, gmailAuto, gmailId } = request;
  if (gmailAuto && gmailId !== undefined) {
    throw new MayflyError('conflicting_parameters', '`gmail_auto` and `gmail_id` exclude each other.', {
      parameter: 'gmail_auto',
    });
  }
  if (gmailAuto && useGmail === false) {
    throw new MayflyError('conflicting_parameters', '`use_gmail=0` and `gmail_auto=1` exclude each other.', {
      parameter: 'gmail_auto',
    });
  }
  return useGmail === true || gmailAuto === true;
}

/** No account can be set up yet, so every id is unknown and automatic choice finds none. */
function noGmailAccount({ gmailId }: CreateSessionRequest): MayflyError {
  if (gmailId !== undefined) {
    return new MayflyError('unknown_gmail_account', 'No active Gmail account has this id.', {
      parameter: 'gmail_id',
    });
  }
  return new MayflyError('no_gmail_account_available', 'No Gmail account is active here.', {
    retryAfterSeconds: 60,
  });
}

async function chooseDomains(directory: DirectoryStore, domainId: number | undefined): Promise<Domain[]> {
  const active = (await directory.listDomains()).filter((domain) => domain.isActive);
  if (domainId !== undefined) {
    const chosen = active.find((domain) => domain.id === domainId);
    if (chosen) return [chosen];
    throw new MayflyError('unknown_domain', 'No active domain has this id.', { parameter: 'domain_id' });
  }
  if (active.length === 0) {
    throw new MayflyError('no_domain_available', 'No domain is active here.', { retryAfterSeconds: 60 });
  }
  return shuffle(active);
}

function shuffle(domains: Domain[]): Domain[] {
  const start = randomBytes(4).readUInt32BE() % domains.length;
  return [...domains.slice(start), ...domains.slice(0, start)];
}

async function claim(
  { mail, limits }: CreateSessionDeps,
  address: string,
  { domain, lifetimeMs }: { domain: Domain; lifetimeMs: number },
): Promise<LentSession | undefined> {
  const token = createToken();
  const tokenHash = hashToken(token);
  if (!tokenHash) throw new Error('A token just made has the wrong shape.');
  const session = await mail.createSession({
    key: toSessionKey(tokenHash),
    tokenHash,
    address,
    addressKey: address,
    dataKey: createDataKey(),
    lifetimeMs,
    totalLifetimeMs: limits.totalMaxSeconds * 1000,
    quarantineMs: domain.quarantineMs,
  });
  return session === 'taken' ? undefined : { token, session };
}
