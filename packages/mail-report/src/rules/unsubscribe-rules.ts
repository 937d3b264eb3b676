// Rules about leaving a list: List-Unsubscribe (RFC 2369) and its one click (RFC 8058), which a DKIM signature must
// cover.

import { inHeader, type Rated } from '../findings.ts';
import type { ReportInput } from '../report-input.ts';
import { type MessageSubject, valuesOf } from './subject-of-rules.ts';

const field = 'List-Unsubscribe';
const post = 'List-Unsubscribe-Post';
const oneClick = `Add \`${post}: List-Unsubscribe=One-Click\` and an https address that unsubscribes by one POST (RFC 8058).`;

const missing: Rated = {
  rule: 'unsubscribe/missing',
  severity: 'info',
  advice: `Mail to many needs ${field}; a message about one’s own account does not. ${oneClick}`,
};
const invalid: Rated = {
  rule: 'unsubscribe/invalid',
  severity: 'error',
  advice: `Write addresses in angle brackets: \`${field}: <https://…>, <mailto:…>\`.`,
};
const noOneClick: Rated = { rule: 'unsubscribe/one-click', severity: 'warning', advice: oneClick };
const wrongPost: Rated = { ...noOneClick, severity: 'error' };
const unsigned: Rated = {
  rule: 'unsubscribe/unsigned',
  severity: 'warning',
  advice: `Name ${field} and ${post} in the signed fields (h=) of the DKIM signature: Gmail and Yahoo ignore them otherwise.`,
};

export function checkUnsubscribe({ input, findings }: MessageSubject): void {
  const values = valuesOf(input, 'list-unsubscribe');
  const [value] = values;
  const [posted] = valuesOf(input, 'list-unsubscribe-post');
  if (value === undefined) {
    if (posted !== undefined) {
      findings.add(wrongPost, `There is ${post} without ${field}.`, inHeader(post, posted));
    } else if (isBulk(input)) {
      findings.add(
        { ...missing, severity: 'warning' },
        `The message goes to many and has no ${field}.`,
        inHeader(field),
      );
    } else findings.add(missing, `The message has no ${field}.`, inHeader(field));
    return;
  }
  const addresses = [...value.matchAll(/<([^<>]{1,4096})>/g)].map(([, one = '']) =>
    one.replaceAll(/\s+/g, ''),
  );
  if (values.length > 1) {
    findings.add(invalid, `The message has ${values.length} ${field} fields.`, inHeader(field, value));
  }
  if (!addresses.some((one) => /^(?:https?:\/\/[^/]|mailto:[^@]+@)/i.test(one) && URL.canParse(one))) {
    findings.add(invalid, `${field} holds no address to follow.`, inHeader(field, value));
    return;
  }
  checkOneClick({ input, findings }, { value, posted, addresses });
}

interface Offered {
  readonly value: string;
  readonly posted: string | undefined;
  readonly addresses: readonly string[];
}

function checkOneClick({ input, findings }: MessageSubject, { value, posted, addresses }: Offered): void {
  if (posted === undefined) {
    findings.add(noOneClick, `There is ${field} without ${post}.`, inHeader(field, value));
    return;
  }
  if (!/^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i.test(posted)) {
    findings.add(wrongPost, `${post} must be \`List-Unsubscribe=One-Click\`.`, inHeader(post, posted));
  }
  if (!addresses.some((one) => /^https:/i.test(one))) {
    findings.add(wrongPost, `One click needs an https address in ${field}.`, inHeader(field, value));
  }
  if (!isCovered(input)) {
    const signatures = valuesOf(input, 'dkim-signature');
    const why =
      signatures.length === 0 ? 'The message is not signed' : 'No DKIM signature covers both fields';
    findings.add(unsigned, `${why}, so that one click is not offered.`, inHeader(field, value));
  }
}

function isBulk(input: ReportInput): boolean {
  const hasList = ['list-id', 'feedback-id', 'list-post'].some((name) => valuesOf(input, name).length > 0);
  return hasList || valuesOf(input, 'precedence').some((value) => /^\s*(?:bulk|list)\s*$/i.test(value));
}

/** Reports whether one signature, which passes if that is known, names both fields in `h=`. */
function isCovered(input: ReportInput): boolean {
  const known = input.authentication?.dkim.signatures.filter(({ result }) => result === 'pass') ?? [];
  return valuesOf(input, 'dkim-signature').some((signature) => {
    const tags = readTags(signature);
    const signed = (tags.get('h') ?? '')
      .toLowerCase()
      .split(':')
      .map((name) => name.trim());
    if (!signed.includes('list-unsubscribe') || !signed.includes('list-unsubscribe-post')) return false;
    const { dkim } = input.authentication ?? {};
    if (dkim === undefined || ['none', 'temperror'].includes(dkim.result)) return true;
    return known.some(
      ({ domain, selector }) =>
        domain?.toLowerCase() === tags.get('d')?.toLowerCase() && selector === tags.get('s'),
    );
  });
}

/** RFC 6376 §3.2. */
function readTags(signature: string): ReadonlyMap<string, string> {
  return new Map(
    signature.split(';').map((tag): [string, string] => {
      const equals = tag.indexOf('=');
      return [tag.slice(0, Math.max(0, equals)).trim(), tag.slice(equals + 1).replaceAll(/\s+/g, '')];
    }),
  );
}
