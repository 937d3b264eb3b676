// Chooses the address of a session: a requested or random local part at an active domain. Used by create-session and
// rename-session.

import { randomBytes } from 'node:crypto';

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { DirectoryStore, Domain } from '../../store/directory-store.ts';

/** An address in the form that the store expects. */
export interface ChosenAddress {
  readonly address: string;
  readonly addressKey: string;
  readonly quarantineMs: number;
}

/** Names of words that can be spoken, or characters without a pattern. */
export const nameStyles = ['words', 'random'] as const;

export interface Naming {
  /** Validated; undefined for a random name. */
  readonly prefix: string | undefined;
  /** Words when undefined. */
  readonly style: (typeof nameStyles)[number] | undefined;
  /** Whether addresses are lent only to holders of an API key. */
  readonly isKeyRequired: boolean;
}

/** Long names collide once in 2^50; several in a row are a bug. */
const randomTries = 5;

/**
 * Tries addresses until `claim` returns something other than undefined, which means taken.
 * @throws MayflyError address_taken
 */
export async function claimOneOf<T>(
  domains: readonly Domain[],
  naming: Naming,
  claim: (chosen: ChosenAddress) => Promise<T | undefined>,
): Promise<T> {
  // Loaded with the first random name.
  const draw = naming.prefix === undefined ? (await import('./draw-local-part.ts')).drawLocalPart : undefined;
  for (let attempt = 0; attempt < randomTries; attempt++) {
    for (const { name, quarantineMs } of domains) {
      const address = `${draw?.(naming, name, attempt) ?? naming.prefix}@${name}`;
      const claimed = await claim({ address, addressKey: address, quarantineMs });
      if (claimed !== undefined) return claimed;
    }
    if (naming.prefix !== undefined) throw addressTaken();
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
