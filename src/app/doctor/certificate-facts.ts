// Collects for the doctor the facts of the certificates. Loaded when it is first asked for. Part of the composition root.

import { findMissingIssuer } from '#certificates/chain-fault';
import type { CertificateFacts } from '#doctor/facts';
import type { CertificateViews } from '../certificates/certificate-views.ts';

/** Those of STARTTLS, and what is wrong with the files of HTTPS: the page may still show the one of before. */
export async function readCertificateFacts(
  views: Pick<CertificateViews, 'smtp' | 'https' | 'control'>,
): Promise<CertificateFacts> {
  const [smtp, https, renewal] = await Promise.all([views.smtp(), views.https(), views.control.renewal()]);
  const fault = smtp?.fault ?? https?.fault;
  if (!smtp && fault === undefined) return 'off';
  const { chainPem: pem = '', source } = smtp ?? {};
  return {
    pem,
    fault,
    acme: renewal && { failure: renewal.failure?.reason },
    missingIssuer: source === 'files' && pem !== '' ? findMissingIssuer(pem) : undefined,
  };
}
