// Opens the certificates and the account of an ACME server in the store. Loaded only with MAYFLY_HTTP_TLS=acme. Part of
// the composition root.

import { CertificateRecords } from '#certificates/certificate-records';
import { claimServerKey } from '../claim-server-key.ts';
import type { ViewParts } from './certificate-parts.ts';

/** @throws StartError when server.key is missing or not the store's */
export async function openRecords({ config, store, log }: ViewParts): Promise<CertificateRecords> {
  return new CertificateRecords(store.records, await claimServerKey(store, config), (name, error) => {
    log.error('certificate.record_sealed_otherwise', { name: name.replace(/ http.*/, ''), error });
  });
}
