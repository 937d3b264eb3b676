// Gives a session another address under the same token. The former one goes into quarantine, so that mail for its
// holder reaches no one else.

import { isCapture } from '../../domain/addresses/capture.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { parsePrefix } from '../../domain/addresses/prefix.ts';
import type { Session } from '../../domain/session.ts';
import type { DirectoryStore, Domain } from '../../store/directory-store.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { chooseDomains, claimOneOf, type Naming } from './choose-address.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { sessionExpired } from '../../domain/gone.ts';

export interface RenameDeps {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

export interface RenameRequest {
  /** Untrusted; random when absent. */
  readonly prefix?: string | undefined;
  readonly style?: Naming['style'];
  /** The domain of the current address when absent. */
  readonly domainId?: number | undefined;
}

/**
 * @throws MayflyError invalid_prefix, reserved_prefix, unknown_domain, address_taken, no_domain_available,
 * address_is_fixed, session_expired
 */
export async function renameSession(
  { mail, directory, limits }: RenameDeps,
  { key, address }: Session,
  request: RenameRequest,
): Promise<Session> {
  if (isCapture({ address })) throw fixed('A capture session takes mail for any name at its subdomain.');
  const prefix = request.prefix === undefined ? undefined : parsePrefix(request.prefix);
  const domains = keepDomain(await chooseDomains(directory, request.domainId), address);
  const naming = { prefix, style: request.style, isKeyRequired: limits.isKeyRequired };
  return claimOneOf(domains, naming, async (chosen) => {
    const outcome = await mail.renameSession(key, chosen);
    if (outcome === 'taken') return undefined;
    if (outcome === 'alias') throw fixed('It is an alias of a Gmail account.');
    if (outcome === 'ended') throw sessionExpired();
    return outcome;
  });
}

/** Returns only the domain of the current address, unless it is no longer active or another was requested. */
function keepDomain(domains: readonly Domain[], address: string): readonly Domain[] {
  const own = domains.find(({ name }) => address.endsWith(`@${name}`));
  return own ? [own] : domains;
}

function fixed(why: string): MayflyError {
  return new MayflyError('address_is_fixed', `The address of this session cannot be changed. ${why}`);
}
