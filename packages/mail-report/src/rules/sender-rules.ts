// Rules about the sender, as a receiver sees it that wants SPF and DKIM to name exactly the domain of From (strict
// alignment, RFC 7489 §3.1).

import { inHeader, type Rated } from '../findings.ts';
import type { ReportedAuthentication } from '../report-input.ts';
import { domainOf, isSameSite } from './site-of-host.ts';
import { type MessageSubject, valuesOf } from './subject-of-rules.ts';

const advice = {
  from: 'Write one From field with one address of your own domain.',
  unchecked: 'Look at this message as delivered over the internet by the server that will send it.',
  spf: 'Send with a return path of the From domain, and list the sending servers in that domain’s SPF record.',
  dkim: 'Sign with a key of the From domain (d= is that domain), as well as with the provider’s.',
  dmarc: 'Publish a DMARC record for the From domain: `v=DMARC1; p=none; rua=mailto:…` to begin with.',
};

/** Looked for from the beginning of a word alone, or a long one would be read again from each of its characters. */
const address = /(?<![^\s<>"@])[^\s<>"@]+@([^\s<>"@]+\.[a-z]{2,})/i;

interface SenderSubject extends MessageSubject {
  readonly domain: string;
  readonly add: (rated: Rated, message: string) => void;
}

export function checkSender(subject: MessageSubject): void {
  const { input, findings } = subject;
  const fields = valuesOf(input, 'from');
  const domain = domainOf(input.from?.email ?? '');
  const noFrom: Rated = { rule: 'sender/from', severity: 'error', advice: advice.from };
  if (domain === '') {
    findings.add(noFrom, 'The message has no From address.', inHeader('From', fields[0]));
    return;
  }
  if (fields.length > 1) {
    findings.add(noFrom, `The message has ${fields.length} From fields.`, inHeader('From', fields[1]));
  }
  const foreign = address.exec(input.from?.name ?? '')?.[1];
  if (foreign !== undefined && !isSameSite(foreign, domain)) {
    findings.add(
      { rule: 'sender/display-name', severity: 'warning', advice: 'Use a name without an address.' },
      `The sender’s name shows an address at ${foreign}, but the message is from ${domain}.`,
      inHeader('From', fields[0]),
    );
  }
  checkAuthentication({
    ...subject,
    domain,
    add: (rated, message) => {
      findings.add(rated, message, inHeader('From', fields[0]));
    },
  });
}

function checkAuthentication(subject: SenderSubject): void {
  const { authentication, isFromPrivateNetwork } = subject.input;
  const results = authentication && [authentication.spf, authentication.dkim, authentication.dmarc];
  if (results === null || results.some(({ result }) => result === 'temperror')) {
    subject.add(
      { rule: 'sender/unchecked', severity: 'info', advice: advice.unchecked },
      'SPF, DKIM and DMARC were not checked: checks are off, or the DNS did not answer.',
    );
    return;
  }
  if (authentication === null) return;
  // Straight from the program under test, nothing can pass: what is missing here is no fault of the message.
  const severity = isFromPrivateNetwork ? 'info' : 'warning';
  checkSpf(subject, authentication, severity);
  checkDkim(subject, authentication, severity);
  checkDmarc(subject, authentication, severity);
}

type Lesser = 'info' | 'warning';

function checkSpf({ domain, add }: SenderSubject, { spf }: ReportedAuthentication, severity: Lesser): void {
  if (spf.result !== 'pass') {
    add({ rule: 'sender/spf', severity, advice: advice.spf }, `SPF does not pass: ${spf.result}.`);
  } else if (spf.domain !== null && spf.domain.toLowerCase() !== domain) {
    add(
      { rule: 'sender/spf-alignment', severity, advice: advice.spf },
      `SPF passes for ${spf.domain}, which is ${relation(spf.domain, domain)}.`,
    );
  }
}

function checkDkim({ domain, add }: SenderSubject, { dkim }: ReportedAuthentication, severity: Lesser): void {
  const passing = dkim.signatures.filter(({ result }) => result === 'pass');
  if (passing.some((one) => one.domain?.toLowerCase() === domain)) return;
  const [first] = passing;
  if (first !== undefined) {
    const signed = first.domain ?? '';
    add(
      { rule: 'sender/dkim-alignment', severity, advice: advice.dkim },
      `DKIM passes for ${signed}, which is ${relation(signed, domain)}.`,
    );
  } else if (dkim.signatures.length > 0) {
    add(
      {
        rule: 'sender/dkim',
        severity: 'error',
        advice: 'Check the key in the DNS, and that nothing changes signed mail.',
      },
      `The DKIM signature does not pass: ${dkim.signatures[0]?.result ?? dkim.result}.`,
    );
  } else add({ rule: 'sender/dkim', severity, advice: advice.dkim }, 'The message has no DKIM signature.');
}

function checkDmarc(
  { domain, add }: SenderSubject,
  { dmarc }: ReportedAuthentication,
  severity: Lesser,
): void {
  if (dmarc.result === 'pass') return;
  if (dmarc.result === 'none') {
    add({ rule: 'sender/dmarc', severity, advice: advice.dmarc }, `${domain} publishes no DMARC record.`);
    return;
  }
  const isRefused = dmarc.policy === 'reject' || dmarc.policy === 'quarantine';
  add(
    {
      rule: 'sender/dmarc',
      severity: isRefused ? 'error' : severity,
      advice: `${advice.spf} ${advice.dkim}`,
    },
    `DMARC does not pass (${dmarc.result}); ${domain} has the policy ${dmarc.policy ?? 'none'}.`,
  );
}

function relation(checked: string, domain: string): string {
  return isSameSite(checked, domain)
    ? `of the same organisation as ${domain}, but not the same domain: strict alignment fails`
    : `not ${domain}: it is not aligned`;
}
