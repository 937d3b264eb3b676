// The policies that a domain publishes about its mail: SPF, DMARC, MTA-STS, TLS reports.

import type { DomainFacts, Fetched, MailRecords, ServerFacts } from '../facts.ts';
import { type Finding, findingsOf } from '../finding.ts';

const askAgain = 'Check the name servers of this machine and of the domain, then try again.';

const dayInSeconds = 86_400;

export function checkSpf({ domain, texts }: Pick<MailRecords, 'domain' | 'texts'>): Finding {
  const found = findingsOf('spf', domain);
  if (texts === 'unknown') {
    return found.unknown(`The TXT records of ${domain} could not be asked for.`, askAgain);
  }
  const policies = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [policy = ''] = policies;
  if (policies.length === 1 && /^v=spf1\s+-all\s*$/i.test(policy)) {
    return found.ok('SPF says that the domain sends no mail.');
  }
  const what =
    policies.length === 0
      ? `There is no SPF record of ${domain}.`
      : policies.length === 1
        ? `SPF lets others send as ${domain}.`
        : `There are several SPF records of ${domain}, so none holds.`;
  return found.warning(what, 'Publish one TXT record "v=spf1 -all", since nothing is sent from here.');
}

export function checkDmarc({ domain, dmarc: { at, texts } }: DomainFacts): Finding {
  const found = findingsOf('dmarc', domain);
  const publish = `Publish the TXT record _dmarc.${domain} "v=DMARC1; p=reject;".`;
  if (texts === 'unknown') {
    return found.unknown(`The DMARC record of ${domain} could not be asked for.`, askAgain);
  }
  const policies = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text));
  const [policy = ''] = policies;
  if (policies.length === 0) return found.warning(`There is no DMARC record of ${domain}.`, publish);
  if (policies.length > 1) {
    return found.warning(`There are several DMARC records of ${at}, so none holds.`, publish);
  }
  const tags = readTags(policy);
  const wanted = (at === domain ? undefined : tags.get('sp')) ?? tags.get('p') ?? '';
  const share = Number(tags.get('pct') ?? 100);
  if (share < 100 || tags.get('t')?.toLowerCase() === 'y') {
    return found.warning(`DMARC of ${at} is only on trial, so not all forged mail is refused.`, publish);
  }
  if (wanted.toLowerCase() === 'reject') return found.ok(`DMARC of ${at} has forged mail refused.`);
  return found.warning(
    wanted === ''
      ? `The DMARC record of ${at} has no policy.`
      : `DMARC of ${at} asks for p=${wanted.slice(0, 20)}, so forged mail is accepted elsewhere.`,
    publish,
  );
}

function readTags(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name.trim().toLowerCase(), value.trim()];
    }),
  );
}

export function checkTlsReports({ domain, tlsReports: texts }: DomainFacts): Finding {
  const found = findingsOf('tls-rpt', domain);
  const publish = `Publish the TXT record _smtp._tls.${domain} "v=TLSRPTv1; rua=mailto:postmaster@${domain}".`;
  if (texts === 'unknown') {
    return found.unknown(`The TLS-RPT record of ${domain} could not be asked for.`, askAgain);
  }
  const records = texts.filter((text) => /^v=TLSRPTv1\s*(?:;|$)/.test(text));
  if (records.length === 0) {
    return found.warning(
      `There is no TLS-RPT record of ${domain}: senders report no failures of TLS.`,
      publish,
    );
  }
  if (records.length > 1) {
    return found.warning(`There are several TLS-RPT records of ${domain}, so none holds.`, publish);
  }
  return /;\s*rua\s*=\s*(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)/i.test(records[0] ?? '')
    ? found.ok('Senders report failures of TLS.')
    : found.warning(`The TLS-RPT record of ${domain} names no address for reports.`, publish);
}

export function checkMtaSts(
  { domain, mtaStsTexts: texts, mtaStsPolicy: policy }: DomainFacts,
  { mtaStsMode: mode, hostname }: Pick<ServerFacts, 'mtaStsMode' | 'hostname'>,
): Finding {
  const found = findingsOf('mta-sts', domain);
  if (texts === 'unknown') {
    return found.unknown(`The MTA-STS record of ${domain} could not be asked for.`, askAgain);
  }
  const records = texts.filter((text) => /^v=STSv1\s*;/.test(text));
  const record = `_mta-sts.${domain} "v=STSv1; id=1"`;
  const turnOn = `Set MAYFLY_SMTP_MTA_STS=testing and publish the TXT record ${record}.`;
  if (mode === 'off') {
    return records.length === 0
      ? found.warning(
          `MTA-STS of ${domain} is off: an attacker on the way can have mail sent in the clear.`,
          turnOn,
        )
      : found.failed(`${domain} has an MTA-STS record, and no policy is served.`, turnOn);
  }
  if (records.length === 0) {
    return found.warning(
      `There is no MTA-STS record of ${domain}, so no sender asks for the policy.`,
      `Publish the TXT record ${record}.`,
    );
  }
  if (records.length > 1) {
    return found.warning(
      `There are several MTA-STS records of ${domain}, so none holds.`,
      `Leave one of them.`,
    );
  }
  if (!/;\s*id\s*=\s*[A-Za-z0-9]{1,32}\s*(?:;|$)/.test(records[0] ?? '')) {
    return found.warning(
      `The MTA-STS record of ${domain} has no valid id.`,
      `Publish the TXT record ${record}.`,
    );
  }
  return checkPolicy(domain, policy, { mode, hostname });
}

function checkPolicy(
  domain: string,
  policy: Fetched | undefined,
  { mode, hostname }: { readonly mode: string; readonly hostname: string },
): Finding {
  const found = findingsOf('mta-sts', domain);
  const host = `mta-sts.${domain}`;
  if (!policy) return found.unknown(`The policy of ${host} was not asked for.`, 'Try again.');
  if ('problem' in policy) {
    switch (policy.problem) {
      case 'name':
        return found.failed(
          `${host} has no address, so senders find no policy.`,
          `Add A and AAAA records for ${host}, as for the page.`,
        );
      case 'certificate':
        return found.failed(
          `The certificate of ${host} is not valid: ${policy.reason}.`,
          'See `mayfly certificate show`: with MAYFLY_HTTP_TLS=acme the certificate has that name too.',
        );
      case 'connection':
        return found.failed(
          `${host} cannot be reached: ${policy.reason}.`,
          `Let ${host} lead to HTTPS of this server.`,
        );
      case 'time':
        return found.unknown(`${host} did not answer in time.`, 'Try again.');
    }
  }
  const fields = policy.body.split(/\r?\n/).map((line) => line.split(':').map((part) => part.trim()));
  const valuesOf = (name: string): string[] =>
    fields.filter(([key]) => key === name).map(([, value = '']) => value.toLowerCase());
  if (policy.status !== 200 || !valuesOf('version').includes('stsv1')) {
    return found.failed(
      `${host} answers ${policy.status} without a policy.`,
      `Let https://${host}/.well-known/mta-sts.txt lead to this server.`,
    );
  }
  if (!valuesOf('mx').some((pattern) => isCovered(hostname.toLowerCase(), pattern))) {
    return found.failed(
      `The policy of ${host} does not name ${hostname}, so senders refuse it.`,
      `Have ${host} serve the policy of this server.`,
    );
  }
  const served = valuesOf('mode')[0] ?? '';
  if (served !== mode) {
    return found.warning(
      `The policy of ${host} has the mode ${served}, and the setting is ${mode}.`,
      `Have ${host} serve the policy of this server.`,
    );
  }
  // Without it the policy is invalid; a short one protects no one (RFC 8461 §3.2).
  if (!(Number(valuesOf('max_age')[0] ?? NaN) >= dayInSeconds)) {
    return found.failed(
      `The policy of ${host} has no max_age of a day or more, so senders forget it.`,
      `Have ${host} serve the policy of this server.`,
    );
  }
  return found.ok(`MTA-STS is served, in the mode ${mode}.`);
}

/** RFC 8461 §4.1. */
function isCovered(hostname: string, pattern: string): boolean {
  return pattern.startsWith('*.')
    ? hostname.slice(hostname.indexOf('.')) === pattern.slice(1)
    : hostname === pattern;
}
