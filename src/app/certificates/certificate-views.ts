// The operators' view of the certificates: read from the files and the store, so that it is the same with and
// without a running service. Part of the composition root.

import { join } from 'node:path';

import { createCertificateControl } from '../../certificates/certificate-status.ts';
import type { WantedCertificate } from '#certificates/renewal-plan';
import type { Config } from '#config/settings';
import { readIfThere } from '#sealing/read-if-there';
import type { CertificateControl } from '../../service/operating/certificate-control.ts';
import type { ViewParts } from './certificate-parts.ts';
import { httpFiles } from './named-files.ts';
import { usualNames } from '#config/tls-settings';
import { demoDomain } from '../../domain/addresses/special-domain.ts';
import type { Domain } from '../../store/directory-store.ts';

export interface CertificateViews {
  readonly control: CertificateControl;
  /** The chain of STARTTLS in PEM; undefined when it is not offered. */
  smtpChain(): Promise<string | undefined>;
  /** The same of HTTPS. */
  httpsChain(): Promise<string | undefined>;
}

export async function createCertificateViews(parts: ViewParts): Promise<CertificateViews> {
  const { config, store } = parts;
  const { http, smtp, general } = config;
  const records =
    http.tls === 'acme' ? await (await import('./open-records.ts')).openRecords(parts) : undefined;
  const ofHttps = http.tls === 'files' ? httpFiles(config).certFile : '';
  const read = (file: string): string | undefined => readIfThere(file)?.toString();
  /** The service creates it at its first start. */
  const selfSigned = join(general.dataDir, 'tls', 'cert.pem');
  const isServed = smtp.tls === 'on' || http.tls !== 'off';
  const control = createCertificateControl({
    now: store.now,
    acme: records && { records, wanted: toWanted(config, store) },
    other: () => {
      const file = ofHttps || smtp.tlsCertFile;
      const chainPem = isServed ? read(file || selfSigned) : undefined;
      return chainPem === undefined ? undefined : { chainPem, source: file === '' ? 'self-signed' : 'files' };
    },
  });
  return {
    control,
    httpsChain: async () => {
      if (http.tls === 'off') return undefined;
      if (ofHttps !== '') return read(ofHttps);
      return (await records?.readCertificate())?.chainPem ?? read(selfSigned);
    },
    smtpChain: async () => {
      if (smtp.tls === 'off') return undefined;
      const file = smtp.tlsCertFile || ofHttps;
      if (file !== '') return read(file);
      return (await records?.readCertificate())?.chainPem ?? read(selfSigned);
    },
  };
}

export function toWanted(
  config: Config,
  { directory }: ViewParts['store'],
): () => Promise<WantedCertificate> {
  const { acme } = config;
  return async () => ({
    directoryUrl: acme.directory,
    names: certificateNames(config, await directory.listDomains()),
    profile: acme.profile === '' ? undefined : acme.profile,
  });
}

/** The most that Let's Encrypt puts into one certificate of its usual profile. */
const namesMax = 100;

/** As configured, and the hosts of MTA-STS of the active domains; what does not fit is left out. */
function certificateNames(
  config: Pick<Config, 'acme' | 'http' | 'smtp'>,
  domains: readonly Pick<Domain, 'name' | 'isActive'>[],
): readonly string[] {
  const own = config.acme.names.length > 0 ? config.acme.names : usualNames(config);
  const ofDomains = domains
    .filter(({ name, isActive }) => isActive && name !== demoDomain)
    .map(({ name }) => `mta-sts.${name}`);
  const all = config.smtp.mtaSts === 'off' ? own : [...own, ...ofDomains];
  return [...new Set(all)].slice(0, namesMax);
}
