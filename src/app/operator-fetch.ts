// An HTTP client for a URL that the operator configured, which may be on this machine or in a private network, with or
// without TLS; limited to that host and port. Part of the composition root.

import { createSafeFetch, type SafeFetch } from '#networks/safe-fetch';

/** @param url http or https, validated */
export function createOperatorFetch(url: string): SafeFetch {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  return createSafeFetch({
    schemes: [scheme],
    ports: [Number(port === '' ? (scheme === 'https' ? 443 : 80) : port)],
    allow: [hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')],
  });
}
