// `mayfly certificate`: the certificate in use, its renewal, and the request for a new one.

import type { CertificateControl } from '../service/operating/certificate-control.ts';
import { type Noun, operatorCommand } from './command.ts';
import { toTime } from './to-time.ts';

/** As the commands show it, and the overview. */
export async function describeCertificate(control: CertificateControl) {
  const [certificate, renewal] = await Promise.all([control.certificate(), control.renewal()]);
  const failure = renewal?.failure;
  return {
    source: certificate?.source ?? 'off',
    names: certificate?.names ?? [],
    issuer: certificate?.issuer ?? null,
    not_before: toTime(certificate?.notBefore),
    not_after: toTime(certificate?.notAfter),
    fault: certificate?.fault ?? null,
    renewal: renewal
      ? {
          directory: renewal.directory,
          wanted_names: renewal.wantedNames,
          left_out: renewal.leftOut,
          renew_at: toTime(renewal.renewAt),
          explanation_url: renewal.explanationUrl ?? null,
          failures: failure?.count ?? 0,
          failure: failure
            ? {
                kind: failure.kind,
                reason: failure.reason,
                at: toTime(failure.at),
                next_at: toTime(failure.nextAt),
              }
            : null,
        }
      : null,
  };
}

type Described = Awaited<ReturnType<typeof describeCertificate>>;

const show = operatorCommand({
  method: 'GET',
  path: '/admin/certificate',
  words: 'certificate show',
  help: 'show the certificate of HTTPS and STARTTLS, when it is renewed, and why the last attempt failed',
  parameters: {},
  run: ({ operator }) => describeCertificate(operator.certificates),
  print: printCertificate,
});

function printCertificate(described: Described): string[] {
  const { source, names, issuer, not_before, not_after, fault, renewal } = described;
  if (source === 'off') return ['There is no certificate: MAYFLY_HTTP_TLS and MAYFLY_SMTP_TLS are off.'];
  return [
    `source: ${source}`,
    `names: ${names.join(', ')}`,
    `issuer: ${issuer ?? ''}`,
    `valid: ${not_before ?? ''} to ${not_after ?? ''}`,
    ...(fault === null ? [] : [`not used: ${fault}`]),
    ...(renewal ? printRenewal(renewal) : []),
  ];
}

function printRenewal({
  directory,
  left_out,
  renew_at,
  explanation_url,
  failure,
  failures,
}: Renewal): string[] {
  return [
    `renewed: ${renew_at ?? 'as soon as possible'}, from ${directory}`,
    ...(explanation_url === null ? [] : [`why then: ${explanation_url}`]),
    ...(left_out.length > 0 ? [`left out for a day: ${left_out.join(', ')}`] : []),
    ...(failure
      ? [
          `failed: ${failures} times, last at ${failure.at ?? ''}: ${failure.reason}`,
          `next attempt: ${failure.next_at ?? ''}`,
        ]
      : []),
  ];
}

type Renewal = NonNullable<Described['renewal']>;

const renew = operatorCommand({
  method: 'POST',
  path: '/admin/renew-certificate',
  words: 'certificate renew',
  help: 'order a new certificate now; the one in use stays until it is there',
  parameters: {},
  async run({ operator }) {
    await operator.certificates.requestRenewal();
    return { requested: true };
  },
  changes: () => '',
  print: () => ['A new certificate is ordered. See: mayfly certificate show'],
});

export const certificates: Noun = { word: 'certificate', commands: [show, renew] };
