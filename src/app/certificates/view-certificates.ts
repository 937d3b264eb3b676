// The operators' view of the certificates, loaded when it is first asked for. Part of the composition root.

import { openOnce } from '../../domain/open-once.ts';
import type { ViewParts } from './certificate-parts.ts';
import type { CertificateViews } from './certificate-views.ts';

export function viewCertificates(parts: ViewParts): CertificateViews {
  const get = openOnce(async (): Promise<CertificateViews> => {
    const { createCertificateViews } = await import('./certificate-views.ts');
    return createCertificateViews(parts);
  });
  return {
    control: {
      certificate: async () => (await get()).control.certificate(),
      renewal: async () => (await get()).control.renewal(),
      requestRenewal: async () => (await get()).control.requestRenewal(),
    },
    smtp: async () => (await get()).smtp(),
    https: async () => (await get()).https(),
  };
}
