// Collects for the doctor the facts of the certificates. Loaded when it is first asked for. Part of the composition root.

import { findMissingIssuer } from '#certificates/chain-fault';
import type { CertificateFacts } from '#doctor/facts';
import type { CertificateViews } from '../certificates/certificate-views.ts';

/** Those of STARTTLS, and what is wrong with the files of HTTPS: the page may still show the one of before. */
export async function readCertificateFacts(
  views: Pick<CertificateViews, 'smtp' | 'https'>,
): Promise<CertificateFacts> {
  const [smtp, https] = await Promise.all([views.smtp(), views.https()]);
  const fault = smtp?.fault ?? https?.fault;
  if (!smtp && fault === undefined) return 'off';
  const { chainPem: pem = '', source } = smtp ?? {};
  return {
    pem,
    fault,
    missingIssuer: source === 'files' && pem !== '' ? findMissingIssuer(pem) : undefined,
  };
}
