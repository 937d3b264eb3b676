// The operators' view of the certificates: what the service presents, or where none runs, what it would. Part of the
// composition root.

import { join } from 'node:path';

import { messageOf } from '#system-errors/error-message';
import { createCertificateControl } from '../../certificates/certificate-status.ts';
import { readCertificateFiles } from '#certificates/certificate-files';
import type { WantedCertificate } from '#certificates/renewal-plan';
import type { Config } from '#config/settings';
import { readIfThere } from '#sealing/read-if-there';
import type { CertificateControl, ShownCertificate } from '../../service/operating/certificate-control.ts';
import type { ViewParts } from './certificate-parts.ts';
import { httpFiles, type NamedFiles } from './named-files.ts';
import { usualNames } from '#config/tls-settings';
import { demoDomain } from '../../domain/addresses/special-domain.ts';
import type { Domain } from '../../store/directory-store.ts';

export interface CertificateViews {
  readonly control: CertificateControl;
  /** The certificate of STARTTLS; undefined when it is not offered. */
  smtp(): Promise<ShownCertificate | undefined>;
  /** The same of HTTPS. */
  https(): Promise<ShownCertificate | undefined>;
}

export async function createCertificateViews(parts: ViewParts): Promise<CertificateViews> {
  const { config, store, presented } = parts;
  const { http, smtp } = config;
  const records =
    http.tls === 'acme' ? await (await import('./open-records.ts')).openRecords(parts) : undefined;
  const ofHttps = http.tls === 'files' ? httpFiles(config) : undefined;
  const ofSmtp = smtp.tlsCertFile === '' ? ofHttps : { certFile: smtp.tlsCertFile, keyFile: smtp.tlsKeyFile };
  /** By a service that is not this process, or that will be started. */
  const readOne = async (files: typeof ofSmtp): Promise<ShownCertificate> => {
    if (files) return readFiles(files);
    const stored = await records?.readCertificate();
    if (stored) return { chainPem: stored.chainPem, source: 'acme' };
    return { chainPem: readSelfSigned(config), source: 'self-signed' };
  };
  const show = async (service: 'http' | 'smtp'): Promise<ShownCertificate | undefined> => {
    if (config[service].tls === 'off') return undefined;
    const files = service === 'http' ? ofHttps : ofSmtp;
    const used = presented?.[service];
    if (!used) return readOne(files);
    const { chainPem, fault, isTrusted } = used;
    const source = files ? 'files' : isTrusted ? 'acme' : 'self-signed';
    return { chainPem, fault, source };
  };
  return {
    control: createCertificateControl({
      now: store.now,
      acme: records && { records, wanted: toWanted(config, store) },
      shown: async () => (await show('http')) ?? (await show('smtp')),
    }),
    https: () => show('http'),
    smtp: () => show('smtp'),
  };
}

function readFiles(files: Pick<NamedFiles, 'certFile' | 'keyFile'>): ShownCertificate {
  try {
    return { chainPem: readCertificateFiles(files).chainPem, source: 'files' };
  } catch (error) {
    return { chainPem: undefined, fault: messageOf(error), source: 'files' };
  }
}

/** The service makes it at its first start. */
function readSelfSigned({ general }: Config): string | undefined {
  return readIfThere(join(general.dataDir, 'tls', 'cert.pem'))?.toString();
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
