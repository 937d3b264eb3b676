// Tells requests that a page of another site may have made a browser send from those of scripts and of our own pages.

import type { IncomingHttpHeaders } from 'node:http';

/**
 * Reports whether a browser says that a page of another origin sent the request. Without those fields nothing is
 * known: over plain HTTP, browsers omit `Sec-Fetch-Site`, and for images and links `Origin` as well.
 */
export function isForeignPage(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase());
}

/**
 * Reports whether the request was certainly not sent at the wish of another site's page: the browser says so, or it
 * comes from a program that does not claim to be a browser. Every browser calls itself Mozilla, and no page can make
 * it send another name without a preflight, which is not granted.
 */
export function isOwnWill(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return !isForeignPage(headers) && !/mozilla/i.test(headers['user-agent'] ?? '');
}
