// The operator's view of the certificate (service/operating/certificate-control.ts).

import type {
  CertificateControl,
  CertificateStatus,
  RenewalStatus,
  ShownCertificate,
} from '../service/operating/certificate-control.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import type { CertificateRecords } from '#certificates/certificate-records';
import { readFacts, readLeaf } from '#certificates/issued-certificate';
import { renewalTime, type WantedCertificate } from '#certificates/renewal-plan';

export interface ControlOptions {
  /** That of HTTPS, or else of STARTTLS; undefined while neither is served. */
  readonly shown: () => Promise<ShownCertificate | undefined>;
  /** Undefined unless certificates come from an ACME server. */
  readonly acme:
    { readonly records: CertificateRecords; readonly wanted: () => Promise<WantedCertificate> } | undefined;
  /** The store's clock. */
  readonly now: () => number;
}

export function createCertificateControl({ shown, acme, now }: ControlOptions): CertificateControl {
  return {
    certificate: async () => {
      // Another node may have obtained a newer one than this presents.
      const stored = await acme?.records.readCertificate();
      if (stored) return toStatus({ chainPem: stored.chainPem, source: 'acme' });
      const used = await shown();
      return used && toStatus(used);
    },
    renewal: async () => acme && readRenewalStatus(acme, now()),
    requestRenewal: async () => {
      if (!acme) throw new OperatorError('MAYFLY_HTTP_TLS is not acme, so there is none to renew.');
      await acme.records.writeRequest(now());
    },
  };
}

function toStatus({ chainPem, source, fault }: ShownCertificate): CertificateStatus {
  if (chainPem === undefined) {
    return { source, fault, names: [], issuer: '', notBefore: undefined, notAfter: undefined };
  }
  const leaf = readLeaf(chainPem);
  const names = (leaf.subjectAltName ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
  return {
    source,
    fault,
    names,
    issuer: leaf.issuer.replaceAll('\n', ', '),
    notBefore: Date.parse(leaf.validFrom),
    notAfter: Date.parse(leaf.validTo),
  };
}

async function readRenewalStatus(
  { records, wanted }: NonNullable<ControlOptions['acme']>,
  now: number,
): Promise<RenewalStatus> {
  const [stored, progress, { directoryUrl, names }] = await Promise.all([
    records.readCertificate(),
    records.readProgress(),
    wanted(),
  ]);
  const { failure, advice, leftOut = {} } = progress;
  return {
    directory: directoryUrl,
    wantedNames: names,
    leftOut: names.filter((name) => now < (leftOut[name] ?? 0)),
    renewAt: stored && renewalTime(readFacts(stored), progress),
    explanationUrl: advice?.explanationUrl,
    failure: failure && {
      kind: failure.kind,
      reason: failure.reason,
      count: failure.count,
      at: failure.at,
      nextAt: failure.at + failure.waitMs,
    },
  };
}
