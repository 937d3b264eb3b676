// Checks one of the operator's own domains, and reports when mail last arrived for it.

import type { DirectoryStore } from '../store/directory-store.ts';
import { checkDomain, type CheckDomainDeps, type DomainCheck } from './check-domain.ts';
import type { LastMail } from './last-mail.ts';
import { OperatorError } from './operator-error.ts';

export interface CheckOwnDomainDeps {
  readonly directory: DirectoryStore;
  readonly lastMail: Pick<LastMail, 'list'>;
  readonly domainChecks: CheckDomainDeps;
}

export interface CheckedDomain {
  readonly checks: readonly DomainCheck[];
  readonly lastMailAt: number | undefined;
}

/** Refuses other domains: this is not a DNS service for holders of keys. @throws OperatorError */
export async function checkOwnDomain(deps: CheckOwnDomainDeps, name: string): Promise<CheckedDomain> {
  const wanted = name.toLowerCase();
  const domain = (await deps.directory.listDomains()).find((one) => one.name === wanted);
  if (!domain) throw new OperatorError(`There is no domain ${JSON.stringify(name.slice(0, 80))}.`);
  const checks = await checkDomain(deps.domainChecks, domain.name);
  return { checks, lastMailAt: (await deps.lastMail.list()).get(domain.name) };
}
