// The names that the certificate is ordered for. Part of the composition root.

import type { Config } from '#config/settings';
import { usualNames } from '#config/tls-settings';
import { demoDomain } from '../../domain/addresses/special-domain.ts';
import type { Domain } from '../../store/directory-store.ts';

/** The most that Let's Encrypt puts into one certificate of its usual profile. */
const namesMax = 100;

/** As configured, and the hosts of MTA-STS of the active domains; what does not fit is left out. */
export function certificateNames(
  config: Pick<Config, 'acme' | 'http' | 'smtp'>,
  domains: readonly Pick<Domain, 'name' | 'isActive'>[],
): readonly string[] {
  const own = config.acme.names.length > 0 ? config.acme.names : usualNames(config);
  const ofDomains = domains
    .filter(({ name, isActive }) => isActive && name !== demoDomain)
    .map(({ name }) => `mta-sts.${name}`);
  const all = config.smtp.mtaSts === 'off' ? own : [...own, ...ofDomains];
  return [...new Set(all)].slice(0, namesMax);
}
