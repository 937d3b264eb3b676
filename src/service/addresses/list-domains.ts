// Lists where addresses can be created: active domains, and Gmail accounts that receive mail, in order of id.

import type { DirectoryStore } from '../../store/directory-store.ts';
import type { GmailStore } from '../../store/gmail-store.ts';
import { isAvailable } from './choose-gmail-accounts.ts';

export interface AvailableDomains {
  readonly domains: readonly { readonly id: number; readonly name: string }[];
  readonly gmailAccounts: readonly { readonly id: number; readonly email: string }[];
}

export interface ListDomainsDeps {
  readonly directory: DirectoryStore;
  readonly gmail: GmailStore;
  /** Whether to hide the accounts' addresses. */
  readonly masksGmailAccounts: boolean;
}

export async function listDomains(deps: ListDomainsDeps): Promise<AvailableDomains> {
  const domains = await deps.directory.listDomains();
  const accounts = await deps.gmail.listAccounts();
  return {
    domains: domains.filter((domain) => domain.isActive),
    gmailAccounts: accounts.filter(isAvailable).map(({ id, email }) => ({
      id,
      email: deps.masksGmailAccounts ? mask(email) : email,
    })),
  };
}

/** The same length for every account, because the length would help to identify it. */
function mask(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}
