// Lends an address: picks a domain, makes or checks the local part, claims it and hands out the token. Called by the
// HTTP interface.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../domain/mayfly-error.ts';
import { parsePrefix, randomLocalPart } from '../domain/prefix.ts';
import type { DirectoryStore, Domain } from '../store/directory-store.ts';
import { claimAddress, type LentSession } from './claim-address.ts';
import { type GmailAliasRequest, lendGmailAlias, type LendGmailAliasDeps } from './lend-gmail-alias.ts';
import { expectMail, type ReadThreads } from './expect-reads.ts';
import { parseLifetimeMs } from './lifetime.ts';

export interface CreateSessionRequest extends Omit<GmailAliasRequest, 'gmailOnly'> {
  /** Untrusted; checked here. */
  readonly prefix?: string | undefined;
  readonly useGmail?: boolean | undefined;
  readonly lifetimeSeconds?: number | undefined;
}

export interface CreateSessionDeps extends LendGmailAliasDeps, ReadThreads {
  readonly directory: DirectoryStore;
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
  const lent = await lend(deps, request);
  expectMail(deps, lent.session);
  return lent;
}

async function lend(deps: CreateSessionDeps, request: CreateSessionRequest): Promise<LentSession> {
  const lifetimeMs = parseLifetimeMs(deps.limits, request.lifetimeSeconds);
  const prefix = request.prefix === undefined ? undefined : parsePrefix(request.prefix);
  if (wantsGmail(request)) return lendGmailAlias(deps, request, { prefix, lifetimeMs });
  const domains = await chooseDomains(deps.directory, request.domainId);
  for (let attempt = 0; attempt < randomTries; attempt++) {
    for (const domain of domains) {
      const localPart = prefix ?? randomLocalPart(randomBytes);
      const address = `${localPart}@${domain.name}`;
      const { quarantineMs } = domain;
      const lent = await claimAddress(deps, { address, addressKey: address, lifetimeMs, quarantineMs });
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

/** @throws MayflyError unknown_domain, no_domain_available */
export async function chooseDomains(
  directory: DirectoryStore,
  domainId: number | undefined,
): Promise<Domain[]> {
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
