// Operations on domains for operators, by the CLI and the admin interface. Names are untrusted text.

import { ownDomainMaxOctets } from '#mail-receiver/address';
import { parseWrittenDomain } from '#mail-receiver/ascii-domain';
import { demoDomain } from '../../domain/addresses/special-domain.ts';
import type { DirectoryStore, Domain, DomainChanges } from '../../store/directory-store.ts';
import type { SessionCounts } from '../addresses/count-by-domain.ts';
import { OperatorError } from './operator-error.ts';

/** @throws OperatorError when it is not a domain name */
function parseName(text: string): string {
  const name = parseWrittenDomain(text);
  if (name === undefined || name.length > ownDomainMaxOctets) {
    throw new OperatorError(`${JSON.stringify(text.slice(0, 80))} is not a domain name.`);
  }
  return name;
}

function noSuchDomain(name: string): OperatorError {
  return new OperatorError(`There is no domain ${name}.`);
}

export interface AddDomainRequest {
  readonly name: string;
  /** When undefined, an existing domain keeps its value and a new one gets the default. */
  readonly quarantineMs?: number | undefined;
  readonly defaultQuarantineMs: number;
  /** When undefined, an existing domain keeps its value and a new one gets false. */
  readonly refusesDmarcReject?: boolean | undefined;
  /** As `refusesDmarcReject`. */
  readonly discardsUnknown?: boolean | undefined;
}

export interface AddedDomain extends Domain {
  /** Whether it is the first real domain, so that the demo domain gives out no new addresses any more. */
  readonly retiresDemo: boolean;
}

/**
 * Adds a domain, or reactivates a disabled one. The first real one retires the demo domain, where no mail can arrive;
 * its sessions continue to their end. @throws OperatorError
 */
export async function addDomain(directory: DirectoryStore, request: AddDomainRequest): Promise<AddedDomain> {
  const name = parseName(request.name);
  const before = await directory.listDomains();
  const added = await directory.addDomain(name, request.quarantineMs, request.defaultQuarantineMs);
  const domain = (await directory.changeDomain(name, request)) ?? added;
  // An operator who adds the demo domain again beside a real one wants both.
  const retiresDemo = name !== demoDomain && isDemoOnly(before);
  if (retiresDemo) await directory.disableDomain(demoDomain);
  return { ...domain, retiresDemo };
}

/** Reports whether the demo domain is given out, and there is no real one. */
export function isDemoOnly(domains: readonly Domain[]): boolean {
  return domains.some(({ isActive }) => isActive) && domains.every(({ name }) => name === demoDomain);
}

/** @throws OperatorError */
export async function changeDomain(
  directory: DirectoryStore,
  text: string,
  changes: DomainChanges,
): Promise<Domain> {
  const name = parseName(text);
  const domain = await directory.changeDomain(name, changes);
  if (domain) return domain;
  throw noSuchDomain(name);
}

/** Stops giving out addresses on the domain; its sessions continue to their end. @throws OperatorError */
export async function disableDomain(directory: DirectoryStore, text: string): Promise<Domain> {
  const name = parseName(text);
  const domain = await directory.disableDomain(name);
  if (domain) return domain;
  throw noSuchDomain(name);
}

export interface RemoveDomainDeps {
  readonly directory: DirectoryStore;
  readonly sessionCounts: Pick<SessionCounts, 'countLive'>;
}

export interface RemoveDomainRequest {
  readonly name: string;
  /** Without it, a domain with live sessions is not removed. */
  readonly endsSessions: boolean;
}

/**
 * Removes a domain, whose id is never reused, and ends its sessions if that is wanted; returns how many ended.
 * @throws OperatorError
 */
export async function removeDomain(
  { directory, sessionCounts }: RemoveDomainDeps,
  request: RemoveDomainRequest,
): Promise<number> {
  const name = parseName(request.name);
  const isThere = (await directory.listDomains()).some((domain) => domain.name === name);
  if (!isThere) throw noSuchDomain(name);
  const live = request.endsSessions ? 0 : await sessionCounts.countLive(name);
  if (live > 0) {
    throw new OperatorError(
      `Domain ${name} has ${live} live ${live === 1 ? 'session' : 'sessions'}: end them with --end-sessions, or ` +
        'disable the domain and let them come to their end.',
    );
  }
  // Including sessions created meanwhile.
  const ended = await directory.removeDomain(name);
  if (ended !== undefined) return ended;
  throw noSuchDomain(name);
}
