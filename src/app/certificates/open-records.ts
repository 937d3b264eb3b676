// Opens the certificates and the account of an ACME server in the store. Loaded only with MAYFLY_HTTP_TLS=acme. Part of
// the composition root.

import { CertificateRecords } from '#certificates/certificate-records';
import { loadServerKey } from '#sealing/server-key';
import type { ViewParts } from './certificate-parts.ts';

export function openRecords({ config, store, log }: ViewParts): CertificateRecords {
  return new CertificateRecords(store.records, loadServerKey(config.general.dataDir), (name, error) => {
    log.error('certificate.record_sealed_otherwise', { name: name.replace(/ http.*/, ''), error });
  });
}
