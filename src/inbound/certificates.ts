// Certificates of SNS, by their URLs, which packages/inbound has checked. Kept for a while: each notification names one.

import { InboundRefusal } from '#inbound/intake';
import type { SafeFetch } from '#networks/safe-fetch';
import { SafeFetchError } from '#networks/safe-fetch-error';
import { MayflyError } from '../domain/mayfly-error.ts';

/** Returns the certificate in PEM. Rejects with MayflyError unavailable, InboundRefusal. */
export type ReadCertificate = (url: string) => Promise<string>;

const keptMax = 16;
const keptMs = 60 * 60_000;
/** Anyone may name a certificate, so only a few are fetched at once. */
const fetchedMax = 4;

export function createCertificates(fetch: SafeFetch): ReadCertificate {
  const kept = new Map<string, { readonly pem: string; readonly until: number }>();
  const fetched = new Map<string, Promise<string>>();

  async function fetchAndKeep(url: string): Promise<string> {
    const { status, body } = await reach(fetch, url, 'body');
    if (status !== 200) {
      throw new InboundRefusal('unauthorized', 'The certificate of the signature is not there.');
    }
    const pem = body.toString('latin1');
    kept.set(url, { pem, until: performance.now() + keptMs });
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
    return pem;
  }

  return async (url) => {
    const found = kept.get(url);
    if (found && performance.now() < found.until) return found.pem;
    const underWay = fetched.get(url);
    if (underWay) return underWay;
    if (fetched.size >= fetchedMax) throw unavailable();
    const fetching = fetchAndKeep(url).finally(() => fetched.delete(url));
    fetched.set(url, fetching);
    return fetching;
  };
}

/** Rejects with MayflyError unavailable, after which SNS tries again. */
export async function reach(
  fetch: SafeFetch,
  url: string,
  read: 'body' | 'status',
): Promise<{ readonly status: number; readonly body: Buffer }> {
  try {
    return await fetch({ url, method: 'GET', read });
  } catch (error) {
    if (error instanceof SafeFetchError) throw unavailable(error);
    throw error;
  }
}

function unavailable(cause?: unknown): MayflyError {
  return new MayflyError('unavailable', 'Amazon SNS cannot be reached just now.', { cause });
}
