// The certificate of STARTTLS.

import { X509Certificate } from 'node:crypto';

import type { CertificateFacts, ServerFacts } from '../facts.ts';
import { type Finding, findingsOf } from '../finding.ts';

const soonMs = 14 * 24 * 60 * 60 * 1000;
const renew = 'See `mayfly certificate show` for why it is not renewed, or replace its files.';

/** @param exchanges names that MX gives; empty when there are none, or they are not known */
export function checkCertificate(
  { certificate, hostname, now }: Pick<ServerFacts, 'certificate' | 'hostname' | 'now'>,
  exchanges: readonly string[],
): Finding {
  const found = findingsOf('tls');
  if (certificate === 'off') {
    return found.warning('STARTTLS is not offered: mail comes in the clear.', 'Set MAYFLY_SMTP_TLS=on.');
  }
  const { fault, missingIssuer, acme } = certificate;
  const read = readCertificate(certificate);
  if (fault !== undefined) {
    return found.failed(
      `The files of a certificate are not used: ${fault}.`,
      read
        ? 'Mend them; the certificate of before is used meanwhile, but only until the next start.'
        : 'Mend them: the service does not start without.',
    );
  }
  if (!read) {
    return found.failed('The certificate cannot be read.', 'Check the files of the certificate, in PEM.');
  }
  const [from, until] = [Date.parse(read.validFrom), Date.parse(read.validTo)];
  if (from > now) {
    return found.failed(
      `The certificate is not valid before ${toDate(from)}.`,
      'Check the clock of this server; else get another certificate.',
    );
  }
  const end = toDate(until);
  if (until <= now) return found.failed(`The certificate ended on ${end}.`, renew);
  const isSelfSigned = read.checkIssued(read);
  if (isSelfSigned && acme) return lacking(acme, found);
  const isNamed = exchanges.length > 0;
  const missing = (isNamed ? exchanges : [hostname]).find((name) => !read.checkHost(name));
  if (missing !== undefined) {
    const whose = isNamed ? 'which MX names' : 'as this server calls itself';
    return found.warning(
      `The certificate is not for ${missing}, ${whose}.`,
      `Get a certificate for ${missing}.`,
    );
  }
  if (isSelfSigned) {
    return found.warning(
      `The certificate is self-signed, until ${end}: senders encrypt to it, MTA-STS refuses it.`,
      'Set MAYFLY_HTTP_TLS=acme for one that senders can verify.',
    );
  }
  if (missingIssuer !== undefined) {
    return found.warning(
      `The chain of the certificate is incomplete: that of its issuer, ${missingIssuer}, is missing, so clients cannot verify it.`,
      'Use a file with the whole chain, such as fullchain.pem.',
    );
  }
  return endsSoon({ from, until }, now)
    ? found.warning(`The certificate ends on ${end}.`, renew)
    : found.ok(`The certificate is good until ${end}.`);
}

/** Until there is one, a self-signed one is presented. */
function lacking(
  { failure }: { readonly failure: string | undefined },
  found: ReturnType<typeof findingsOf>,
): Finding {
  return failure === undefined
    ? found.warning('The certificate is not there yet.', 'Look again in a minute: `mayfly certificate show`.')
    : found.failed(
        `No certificate could be obtained: ${failure.replace(/\.$/, '')}.`,
        'Mend that; it is tried again by itself, or at once by `mayfly certificate renew`.',
      );
}

/** Later than any renewal: short-lived ones are renewed at half of their life. */
export function endsSoon(
  { from, until }: { readonly from: number; readonly until: number },
  now: number,
): boolean {
  return until - now < Math.min(soonMs, (until - from) / 6);
}

/** Whether the certificate is for the name, so that the host is one of the service. */
export function isNamedBy(certificate: CertificateFacts, name: string): boolean {
  return certificate !== 'off' && readCertificate(certificate)?.checkHost(name) !== undefined;
}

function readCertificate({ pem }: { readonly pem: string }): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    // Not a certificate, which is the finding.
    return undefined;
  }
}

export function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
