// The cookie that carries the session for clients that keep cookies. Limited to this dialect's path, because cookies
// do not distinguish ports and the service's page must not receive it.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Answer } from '../../http/answer.ts';
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
    const site = headers['sec-fetch-site'];
    if (site === undefined || site === 'same-origin' || site === 'none') return value;
    throw new MayflyError('foreign_origin', 'Pages of other sites may not call this interface.');
  }
  return undefined;
}

export function withCookie(body: string | Buffer, token: string | undefined): Answer {
  // All characters of a token are valid in a cookie's value.
  return {
    body,
    ...(token === undefined ? {} : { headers: { 'set-cookie': `${name}=${token}; ${attributes}` } }),
  };
}
