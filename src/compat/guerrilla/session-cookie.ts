// The cookie that carries the session for clients that keep cookies. Limited to this dialect's path, because cookies
// do not distinguish ports and the service's page must not receive it.

import { isForeignPage, isOwnWill } from '#http-parts/own-page';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatCall } from '../dialect.ts';

const name = 'PHPSESSID';
const attributes = 'Path=/ajax.php; HttpOnly; SameSite=Strict';

/** Returns undefined if there is none. @throws MayflyError foreign_origin when another page made a browser send it */
export function readCookie({ headers }: Pick<CompatCall, 'headers'>): string | undefined {
  for (const pair of String(headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (value === '') continue;
    // Pages at other ports of the same host belong to the same site, so SameSite does not stop them.
    if (!isForeignPage(headers)) return value;
    throw new MayflyError('foreign_origin', 'Pages of other sites may not call this interface.');
  }
  return undefined;
}

/**
 * Returns the field that sets the cookie of a new session. Never for a token that came with the request: a link with
 * an attacker's `sid_token` would give a browser his inbox. Nor for a browser that does not say that no other page
 * made it ask: a link would replace its inbox by an empty one.
 */
export function cookieFields(
  { headers }: Pick<CompatCall, 'headers'>,
  token: string | undefined,
): Record<string, string> {
  if (token === undefined || !isOwnWill(headers)) return {};
  // All characters of a token are valid in a cookie's value.
  return { 'set-cookie': `${name}=${token}; ${attributes}` };
}
