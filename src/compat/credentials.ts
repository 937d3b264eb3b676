// The token of a request in another service's dialect: as a Bearer token, or by Basic as the password or, where that is
// empty, as the user. Used by compat-calls.ts.

import { readBearer } from '../http/credentials.ts';

/** Undefined for no credentials, and for an empty Bearer, which some clients send before they have one. */
export function readCredentials(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const encoded = /^basic[ \t]+([A-Za-z0-9+/_-]+={0,2})[ \t]*$/i.exec(authorization)?.[1];
  if (encoded === undefined) return readBearer(authorization);
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [user, password] = colon === -1 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
  const token = password === '' ? user : password;
  return token === '' ? undefined : token;
}
