// Operations on domains for operators, by the CLI and the admin interface. Names are untrusted text.

import { ownDomainMaxOctets, parseDomainName } from '../domain/address.ts';
import type { DirectoryStore, Domain, DomainChanges } from '../store/directory-store.ts';
import { OperatorError } from './operator-error.ts';

/** @throws OperatorError when it is not a domain name */
function parseName(text: string): string {
  const name = parseDomainName(text);
  if (name === undefined || name.length > ownDomainMaxOctets) {
    throw new OperatorError(
      `${JSON.stringify(text.slice(0, 80))} is not a domain name (write it in ASCII, as in DNS).`,
    );
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

/** Adds a domain, or reactivates a disabled one. @throws OperatorError */
export async function addDomain(directory: DirectoryStore, request: AddDomainRequest): Promise<Domain> {
  const name = parseName(request.name);
  const added = await directory.addDomain(name, request.quarantineMs, request.defaultQuarantineMs);
  return (await directory.changeDomain(name, request)) ?? added;
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

/** Ends the domain's sessions and removes it; its id is never reused. Returns how many ended. @throws OperatorError */
export async function removeDomain(directory: DirectoryStore, text: string): Promise<number> {
  const name = parseName(text);
  const ended = await directory.removeDomain(name);
  if (ended !== undefined) return ended;
  throw noSuchDomain(name);
}
