// An HTTP client for a URL that the operator named: it may be wherever it is, on this machine or in a private network,
// in the clear or not; that host and port alone. Part of the composition root.

import { createSafeFetch, type SafeFetch } from '../net/safe-fetch.ts';

/** @param url http or https, checked */
export function createOperatorFetch(url: string): SafeFetch {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return createSafeFetch({
    schemes: [scheme],
    ports: [Number(port === '' ? (scheme === 'https' ? 443 : 80) : port)],
    allow: [hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')],
  });
}
