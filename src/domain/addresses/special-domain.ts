// Domains that strangers cannot send mail to.

/** Special-use names (RFC 2606, RFC 6761, RFC 8375, RFC 9476) and `internal`, which ICANN has reserved. */
const special =
  /(?:^|\.)(?:test|example|invalid|localhost|local|internal|alt|home\.arpa|example\.(?:com|net|org))$/i;

/** Reports whether the name cannot be in the public DNS, so that only the operator's own network reaches it. */
export function isSpecialDomain(name: string): boolean {
  return special.test(name);
}

/**
 * The domain of a first start when the operator named none. Strangers cannot send mail to it, so its addresses are free
 * again when their sessions end.
 */
export const demoDomain = 'mayfly.test';
