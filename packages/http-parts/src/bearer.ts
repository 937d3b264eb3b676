// The scheme Bearer of Authorization (RFC 6750 §2.1).

/**
 * Returns the token of an Authorization field; undefined if there is none, or for a scheme other than Bearer, which
 * may be meant for a proxy.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer[ \t]+(\S.*)$/i.exec(authorization)?.[1]?.trim();
}
