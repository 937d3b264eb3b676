// Carries the requests of the ACME client through the service's one HTTP client: over https, to the hosts of the
// Internet and the operator's own server, within limits of time and size.

import { createSafeFetch, type SafeFetch } from '#networks/safe-fetch';
import type { AcmeTransport } from '#acme/acme-client';

const timeoutMs = 30_000;
const answerMaxBytes = 256 * 1024;

/**
 * @param directoryUrls may be on private addresses and other ports than 443, as the operator's own servers are
 * @param certificateAuthorities in PEM; undefined for the usual ones
 * @param signal ends exchanges under way
 */
export function createAcmeTransport(
  directoryUrls: readonly string[],
  certificateAuthorities: string | undefined,
  signal: AbortSignal,
): AcmeTransport {
  const urls = directoryUrls.map((url) => new URL(url));
  const fetch: SafeFetch = createSafeFetch({
    schemes: ['https'],
    ports: [443, ...urls.map(({ port }) => Number(port === '' ? 443 : port))],
    allow: urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')),
    timeoutMs,
    answerMaxBytes,
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  });
  return ({ url, method, headers, body }) =>
    fetch({ url, method, headers, read: 'any body', signal, ...(body === undefined ? {} : { body }) });
}
