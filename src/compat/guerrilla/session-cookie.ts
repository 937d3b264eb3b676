// The cookie in which clients that keep cookies carry their session. It goes to this dialect's path alone, since cookies
// do not tell ports apart: the page of this service is never sent it.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Answer } from '../../http/answer.ts';
import type { CompatCall } from '../dialect.ts';

const name = 'PHPSESSID';
const attributes = 'Path=/ajax.php; HttpOnly; SameSite=Strict';

/** Undefined for none. @throws MayflyError foreign_origin for one that another page made a browser send */
export function readCookie({ headers }: Pick<CompatCall, 'headers'>): string | undefined {
  for (const pair of String(headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (value === '') continue;
    // Pages at other ports of one host are of the same site, for which SameSite holds nothing back.
    const site = headers['sec-fetch-site'];
    if (site === undefined || site === 'same-origin' || site === 'none') return value;
    throw new MayflyError('foreign_origin', 'Pages of other sites may not call this interface.');
  }
  return undefined;
}

export function withCookie(body: string | Buffer, token: string | undefined): Answer {
  // A token has no character that a cookie's value may not have.
  return {
    body,
    ...(token === undefined ? {} : { headers: { 'set-cookie': `${name}=${token}; ${attributes}` } }),
  };
}
