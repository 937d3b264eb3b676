// Reads the token of a request in a dialect: a Bearer token, or Basic credentials with the token as the password or,
// if that is empty, as the user. Used by compat-calls.ts.

import { readBearer } from '#http-parts/bearer';
import { hashToken } from '#sealing/token';

/**
 * Returns the user of Basic credentials without a token, for listeners where a name selects a session. Undefined for
 * all others, and for an empty user.
 */
export function readName(authorization: string | undefined): string | undefined {
  const pair = readBasic(authorization ?? '');
  if (pair?.some((text) => hashToken(text) !== undefined)) return undefined;
  return pair?.[0] === '' ? undefined : pair?.[0];
}

/** Returns undefined without credentials, and for an empty Bearer, which some clients send before they have a token. */
export function readCredentials(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const pair = readBasic(authorization);
  if (!pair) return readBearer(authorization);
  const [user, password] = pair;
  const token = password === '' ? user : password;
  return token === '' ? undefined : token;
}

function readBasic(authorization: string): [user: string, password: string] | undefined {
  const encoded = /^basic[ \t]+([A-Za-z0-9+/_-]+={0,2})[ \t]*$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon === -1 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
}
