// Whether an inbox has received a message, and what to say when it has not.

import { checkOptions, type OptionKind, showValue } from './check-options.ts';
import type { Inbox } from './inbox.ts';
import type { Delivery, MessageSummary } from './models.ts';
import type { Matched } from './report-match.ts';

/** All that is given must hold; texts match anywhere, ignoring case. */
export interface Received {
  readonly subject?: string | RegExp | undefined;
  /** The sender's name or address. */
  readonly from?: string | RegExp | undefined;
  /** One of the recipients' addresses. */
  readonly to?: string | RegExp | undefined;
  /** Text in the subject, the readable text or the name of an attachment. */
  readonly contains?: string | undefined;
  /** The code that the service found, or true for any. */
  readonly code?: string | RegExp | true | undefined;
  /** Milliseconds to wait for it. When absent, 4,000 in Vitest and Jest, 10,000 in Playwright, and none after `not`. */
  readonly timeout?: number | undefined;
}

const textKind: OptionKind = {
  is: 'a string or a regular expression',
  fits: (value) => typeof value === 'string' || value instanceof RegExp,
};
const kinds: Readonly<Record<keyof Received, OptionKind>> = {
  subject: textKind,
  from: textKind,
  to: textKind,
  contains: { is: 'a string', fits: (value) => typeof value === 'string' },
  code: {
    is: 'a string, a regular expression or true',
    fits: (value) => typeof value === 'string' || value instanceof RegExp || value === true,
  },
  timeout: {
    is: 'a number of milliseconds',
    fits: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  },
};
const shownMax = 10;

/**
 * Waits `usual` milliseconds when `wanted` does not say how long.
 * @throws TypeError for anything that is no inbox, and for options that are none
 */
export async function matchReceived(inbox: Inbox, wanted: Received, usual: number): Promise<Matched> {
  if (typeof inbox?.messagesAfter !== 'function') {
    throw new TypeError(`toHaveReceived takes an inbox, not ${showValue(inbox)}.`);
  }
  checkOptions('toHaveReceived', wanted, kinds);
  const timeout = wanted.timeout ?? usual;
  const until = Date.now() + timeout;
  const seen: MessageSummary[] = [];
  for (;;) {
    const after = Math.max(0, ...seen.map(({ id }) => id));
    const fresh = await inbox.messagesAfter(after, Math.max(0, until - Date.now()));
    const holding = await findHolding(inbox, wanted);
    const found = fresh.find((message) => whyNot(message, wanted, holding) === undefined);
    seen.unshift(...fresh);
    if (found !== undefined) {
      return {
        pass: true,
        message: () => `${inbox.email} has received ${describe(wanted)}: ${show(found)}.`,
      };
    }
    if (Date.now() < until) continue;
    const deliveries = await inbox.deliveryLog();
    return { pass: false, message: () => explain({ inbox, wanted, timeout, seen, holding, deliveries }) };
  }
}

/** Ids of messages that hold the text; undefined when none is wanted. */
async function findHolding(inbox: Inbox, { contains }: Received): Promise<ReadonlySet<number> | undefined> {
  if (contains === undefined) return undefined;
  return new Set((await inbox.messages({ contains })).map(({ id }) => id));
}

/** Returns undefined for a message that is as wanted. */
function whyNot(
  message: MessageSummary,
  { subject, from, to, code, contains }: Received,
  holding: ReadonlySet<number> | undefined,
): string | undefined {
  if (!fits(message.subject, subject)) return `its subject is not ${show(subject)}`;
  if (!fits(`${message.senderName} <${message.senderEmail}>`, from)) return `it is not from ${show(from)}`;
  if (to !== undefined && !message.recipients.some((one) => fits(one, to))) {
    return `it is not to ${show(to)}, but to ${message.recipients.join(', ')}`;
  }
  if (code !== undefined && message.code === null) return 'no code was found in it';
  if (typeof code === 'string' && message.code !== code) {
    return `its code is ${show(message.code)}, not ${show(code)}`;
  }
  if (code instanceof RegExp && !fits(message.code ?? '', code)) {
    return `its code is ${show(message.code)}, which does not match ${show(code)}`;
  }
  if (holding !== undefined && !holding.has(message.id)) return `it does not contain ${show(contains)}`;
  return undefined;
}

function fits(text: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'string') return text.toLowerCase().includes(wanted.toLowerCase());
  // Without the state that `g` and `y` keep.
  return new RegExp(wanted.source, wanted.flags.replaceAll(/[gy]/g, '')).test(text);
}

function show(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'object' && value !== null && 'subject' in value) {
    const { subject, senderEmail } = value as MessageSummary;
    return `${JSON.stringify(subject)} from ${senderEmail === '' ? 'an unknown sender' : senderEmail}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

function describe({ subject, from, to, code, contains }: Received): string {
  const parts = [
    subject === undefined ? '' : `with subject ${show(subject)}`,
    from === undefined ? '' : `from ${show(from)}`,
    to === undefined ? '' : `to ${show(to)}`,
    code === undefined ? '' : code === true ? 'with a code' : `with code ${show(code)}`,
    contains === undefined ? '' : `containing ${show(contains)}`,
  ].filter((part) => part !== '');
  return ['a message', ...parts].join(' ');
}

interface Missed {
  readonly inbox: Inbox;
  readonly wanted: Received;
  readonly timeout: number;
  readonly seen: readonly MessageSummary[];
  readonly holding: ReadonlySet<number> | undefined;
  readonly deliveries: readonly Delivery[];
}

function explain({ inbox, wanted, timeout, seen, holding, deliveries }: Missed): string {
  const within = timeout === 0 ? '' : ` within ${timeout / 1000} s`;
  const refused = deliveries.filter(({ outcome }) => outcome === 'refused').slice(0, shownMax);
  return [
    `${inbox.email} has not received ${describe(wanted)}${within}.`,
    ...(seen.length === 0 ? ['Nothing is there.'] : ['What is there, newest first:']),
    ...seen
      .slice(0, shownMax)
      .map((one) => `  ${show(one)}: ${whyNot(one, wanted, holding) ?? 'it fits now'}`),
    ...(seen.length > shownMax ? [`  and ${seen.length - shownMax} older messages`] : []),
    ...(refused.length === 0 ? [] : ['What the service refused:']),
    ...refused.map(({ mailFrom, reply }) => `  mail from ${mailFrom ?? '<>'}: ${reply}`),
  ].join('\n');
}
