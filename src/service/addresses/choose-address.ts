// Chooses the address of a session: a requested or random local part at an active domain. Used by create-session and
// rename-session.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { randomLocalPart } from '../../domain/addresses/prefix.ts';
import type { DirectoryStore, Domain } from '../../store/directory-store.ts';

/** An address in the form that the store expects. */
export interface ChosenAddress {
  readonly address: string;
  readonly addressKey: string;
  readonly quarantineMs: number;
}

/** Random names collide once in 2^54; several in a row are a bug. */
const randomTries = 5;

/**
 * Tries addresses until `claim` returns something other than undefined, which means taken.
 * @param prefix validated; undefined for random local parts
 * @throws MayflyError address_taken
 */
export async function claimOneOf<T>(
  domains: readonly Domain[],
  prefix: string | undefined,
  claim: (chosen: ChosenAddress) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < randomTries; attempt++) {
    for (const { name, quarantineMs } of domains) {
      const address = `${prefix ?? randomLocalPart(randomBytes)}@${name}`;
      const claimed = await claim({ address, addressKey: address, quarantineMs });
      if (claimed !== undefined) return claimed;
    }
    if (prefix !== undefined) throw addressTaken();
  }
  throw new Error('Every random address was taken.');
}

function addressTaken(): MayflyError {
  return new MayflyError(
    'address_taken',
    'This address is in use or in quarantine after use; choose another prefix.',
    { parameter: 'prefix' },
  );
}

/**
 * Returns the active domains, or the requested one, in the order to try them.
 * @throws MayflyError unknown_domain, no_domain_available
 */
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
