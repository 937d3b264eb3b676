// Opens the certificates of HTTPS and STARTTLS, from files, from an ACME server or self-signed, and starts renewing
// them. Part of the composition root.

import { messageOf } from '#system-errors/error-message';
import type { ChallengeBoard } from '#certificates/challenge-board';
import { ConfigError } from '#config/load-config';
import type { Metrics } from '../../observe/metrics.ts';
import { ensureSelfSigned, openTlsCertificate, type TlsCertificate } from '#certificates/tls-certificate';
import type { CertificatesOptions } from './certificate-parts.ts';
import { httpFiles, type NamedFiles } from './named-files.ts';
import type { Logger } from '#telemetry/logger';
import { StartError } from '../start-error.ts';
import { smtpHostname } from '../listeners/start-smtp.ts';

export interface Certificates {
  /** Undefined while STARTTLS is off. */
  readonly smtp: TlsCertificate | undefined;
  /** Undefined while HTTPS is off. */
  readonly http: TlsCertificate | undefined;
  /** Undefined unless certificates come from an ACME server. */
  readonly board: ChallengeBoard | undefined;
  /** Starts renewing; call when challenges can be answered. */
  start(): void;
  close(): Promise<void>;
}

/** @throws ConfigError, StartError */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates> {
  const { config } = options;
  const acme =
    config.http.tls === 'acme'
      ? // Not loaded where certificates come from elsewhere.
        await (await import('./open-acme.ts')).openAcme(options, openSelfSigned(options))
      : undefined;
  const http =
    acme?.serving ?? (config.http.tls === 'files' ? await openFiles(options, httpFiles(config)) : undefined);
  const smtp = config.smtp.tls === 'off' ? undefined : await openSmtp(options, http);
  options.metrics.certificateManaged.of().value = acme ? 1 : 0;
  noteEnds(options.metrics, { smtp, http });
  return {
    smtp,
    http,
    board: acme?.board,
    start: () => {
      acme?.start();
    },
    close: async () => {
      await acme?.close();
    },
  };
}

async function openSmtp(
  options: CertificatesOptions,
  http: TlsCertificate | undefined,
): Promise<TlsCertificate> {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile } = options.config.smtp;
  if (certFile !== '') return openFiles(options, { certFile, keyFile, area: 'SMTP' });
  return http ?? openSelfSigned(options);
}

/** @throws ConfigError */
async function openFiles(
  { log }: CertificatesOptions,
  { certFile, keyFile, area }: NamedFiles,
): Promise<TlsCertificate> {
  try {
    const certificate = openTlsCertificate({
      files: { certFile, keyFile },
      isTrusted: true,
      onReloadFailed: (error) => {
        log.error('certificate.not_reloaded', { error });
      },
    });
    await noteDoubts(log, certificate.chainPem, certFile);
    return certificate;
  } catch (error) {
    throw new ConfigError(
      `MAYFLY_${area}_TLS_CERT_FILE and MAYFLY_${area}_TLS_KEY_FILE must name a certificate and its key, but ` +
        `${messageOf(error)}.`,
    );
  }
}

/** Mail that comes by a certificate which clients refuse is more than none. */
async function noteDoubts(log: Logger, chainPem: string, file: string): Promise<void> {
  const { findDoubt } = await import('#certificates/chain-fault');
  const doubt = findDoubt(chainPem, Date.now());
  if (doubt) log[doubt.level]('certificate.refused_by_clients', { file, reason: doubt.reason });
}

/** @throws StartError */
function openSelfSigned({ config, log }: CertificatesOptions): TlsCertificate {
  const files = ensureSelfSigned(config.general.dataDir, smtpHostname(config));
  try {
    return openTlsCertificate({
      files,
      isTrusted: false,
      onReloadFailed: (error) => {
        log.error('certificate.not_reloaded', { error });
      },
    });
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`The certificate ${files.certFile} cannot be used: ${message}`, { cause: error });
  }
}

function noteEnds(metrics: Metrics, { smtp, http }: Pick<Certificates, 'smtp' | 'http'>): void {
  metrics.registry.onCollect(() => {
    metrics.smtpCertificateEnd.of().value = (smtp?.endsAt ?? 0) / 1000;
    metrics.httpCertificateEnd.of().value = (http?.endsAt ?? 0) / 1000;
    metrics.certificateFilesRefused.of().value = (smtp?.fault ?? http?.fault) === undefined ? 0 : 1;
  });
}
