// Fetches a page of the operator's own, or a directory of a certificate authority, and tells why there is none.

import type { Fetched } from './facts.ts';
import type { HostResolver } from '../../networks/src/resolve-host.ts';
import { createSafeFetch } from '../../networks/src/safe-fetch.ts';
import { SafeFetchError } from '../../networks/src/safe-fetch-error.ts';
import { codeOf } from '../../system-errors/src/error-code.ts';

export interface FetchOptions {
  readonly resolver?: HostResolver;
  readonly certificateAuthorities?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As Node.js and OpenSSL name what is wrong with a certificate. */
const ofCertificate = /^(?:CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_SSL_)/;

const ofClock = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

/** Whether a certificate authority’s own certificate is not valid now, which says more of the clock here. */
export function blamesClock(fetched: Fetched): boolean {
  return 'problem' in fetched && fetched.problem === 'certificate' && ofClock.has(fetched.reason);
}

/** The URL comes from the settings, so its host may be any. Never rejects. */
export async function fetchPage(url: string, options: FetchOptions = {}): Promise<Fetched> {
  const { hostname, port, protocol } = new URL(url);
  const { resolver, certificateAuthorities, headers } = options;
  const fetch = createSafeFetch({
    schemes: ['http', 'https'],
    ports: [port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)],
    allow: [hostname.replace(/^\[|\]$/g, '')],
    timeoutMs: 8000,
    ...(resolver ? { resolver } : {}),
    ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
  });
  try {
    const answer = await fetch({ url, method: 'GET', read: 'body', ...(headers ? { headers } : {}) });
    const date = Date.parse(answer.headers.date ?? '');
    return {
      status: answer.status,
      body: answer.body.toString(),
      dateAt: Number.isNaN(date) ? undefined : date,
      certificate: answer.certificate && {
        from: Date.parse(answer.certificate.validFrom),
        until: Date.parse(answer.certificate.validTo),
      },
    };
  } catch (error) {
    if (error instanceof SafeFetchError) return describe(error);
    throw error;
  }
}

function describe(error: SafeFetchError): Fetched {
  switch (error.failure) {
    case 'not_resolved':
      return { problem: 'name', reason: 'the name has no address' };
    case 'timed_out':
      return { problem: 'time', reason: 'no answer in time' };
    case 'bad_url':
    case 'address_refused':
    case 'answer_too_large':
      return { problem: 'connection', reason: error.message.replace(/\.$/, '') };
    case 'connection_failed': {
      const code = String(codeOf(error.cause) ?? '');
      return ofCertificate.test(code)
        ? { problem: 'certificate', reason: code }
        : { problem: 'connection', reason: code || 'the connection failed' };
    }
  }
}
