// Whether a message passes its report, and what to say when it does not.

import { checkOptions, type OptionKind, showValue } from './check-options.ts';
import { type Inbox, inboxOf } from './inbox.ts';
import type { Finding, Message, MessageSummary } from './models.ts';

export interface ReportOptions {
  /** The worst finding that is allowed: `warning` when absent. */
  readonly max?: 'none' | 'info' | 'warning' | 'error' | undefined;
  /** Rules that do not count, such as `links/http`, or `support/*` for all of a kind. */
  readonly ignore?: readonly string[] | undefined;
}

/** The form of the result of a matcher in Vitest, Jest and Playwright. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

const ranks = ['none', 'info', 'warning', 'error'];
const kinds: Readonly<Record<keyof ReportOptions, OptionKind>> = {
  max: { is: `one of ${ranks.join(', ')}`, fits: (value) => ranks.some((rank) => rank === value) },
  ignore: {
    is: 'a list of rules',
    fits: (value) => Array.isArray(value) && value.every((rule) => typeof rule === 'string'),
  },
};
const shownMax = 20;

/** @throws TypeError for anything that is no message of an inbox, and for options that are none */
export async function matchReport(
  mail: Message | MessageSummary,
  options: ReportOptions = {},
): Promise<Matched> {
  checkOptions('toPassReport', options, kinds);
  const { max = 'warning', ignore = [] } = options;
  const { findings, omitted } = await ownerOf(mail, 'toPassReport').report(mail);
  const counted = findings.filter(({ rule }) => !ignore.some((one) => isRule(rule, one)));
  const failing = counted.filter(({ severity }) => ranks.indexOf(severity) > ranks.indexOf(max));
  const subject = JSON.stringify(mail.subject);
  return {
    pass: failing.length === 0,
    message: () =>
      failing.length === 0
        ? `Expected the report on ${subject} to have a finding worse than ${max}, but it has none.`
        : [
            `The report on ${subject} has ${count(failing.length)} worse than ${max === 'none' ? 'nothing' : max}:`,
            ...failing.slice(0, shownMax).map(describeFinding),
            ...(failing.length > shownMax ? [`and ${failing.length - shownMax} more`] : []),
            ...(omitted > 0 ? [`The report leaves out ${omitted} further findings.`] : []),
            'A rule that does not matter here can be left out with `ignore: ["…"]`.',
          ].join('\n'),
  };
}

/** @throws TypeError for anything that is no message of an inbox */
export function ownerOf(mail: unknown, matcher: string): Inbox {
  const inbox = typeof mail === 'object' && mail !== null ? inboxOf(mail) : undefined;
  if (inbox !== undefined) return inbox;
  throw new TypeError(
    `${matcher} takes a message as an inbox returned it by read, messages or waitForMessage, not ${showValue(mail)}.`,
  );
}

function isRule(rule: string, ignored: string): boolean {
  return ignored.endsWith('/*') ? rule.startsWith(ignored.slice(0, -1)) : rule === ignored;
}

function count(findings: number): string {
  return findings === 1 ? 'a finding' : `${findings} findings`;
}

function describeFinding({
  rule,
  severity,
  message,
  advice,
  part,
  name,
  line,
  column,
  excerpt,
}: Finding): string {
  const place = [part, name, line, column].filter((one) => one !== null).join(':');
  return [
    `  ${severity} ${rule} at ${place}`,
    `    ${message}`,
    `    ${advice}`,
    ...(excerpt === '' ? [] : [`    > ${excerpt}`]),
  ].join('\n');
}
