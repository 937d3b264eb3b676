// Carries out the rule of a capture session's plan of faults that applies to a call: the service's own error, a delay, or
// a connection that ends without an answer. Nothing of the call is stored then, except after a mere delay.

import { setTimeout as sleep } from 'node:timers/promises';

import { defaultFaultText, type FaultRule } from '../../domain/smtp-fault.ts';
import type { Answer } from '#http-parts/answer';
import { type ComposedItem, isRefusal } from '#senders/compose';
import type { Refusal } from '#senders/refusal';
import type { CompatContext, SessionCall } from '../dialect.ts';

/** Seconds, as the services mostly say. */
const retryAfterSeconds = 1;

/** The connection is cut, as when a server of the service dies. */
const cut: Answer = {
  body: {
    takesOver: true,
    open: () => (response) => {
      response.destroy();
    },
  },
};

export interface Struck {
  /** Words a refusal with this status as the service does. */
  readonly toRefusal: (status: number, message?: string) => Refusal;
  readonly items: readonly ComposedItem[];
}

/** Resolves with undefined when nothing applies, immediately or after a delay. */
export async function strikeFault(
  { receiving: { smtpFaults } }: Pick<CompatContext, 'receiving'>,
  { live: { session }, caller }: Pick<SessionCall, 'live' | 'caller'>,
  { toRefusal, items }: Struck,
): Promise<Refusal | { readonly kind: 'cut'; readonly answer: Answer } | undefined> {
  if (smtpFaults.isEmpty) return undefined;
  const subject = items.map((item) => (isRefusal(item) ? '' : [item.mailFrom, ...item.rcptTo].join('\n')));
  const event = { stage: 'http', mayHold: true, subject: subject.join('\n\n') } as const;
  const rule = smtpFaults.strike(session.key, event);
  if (!rule) return undefined;
  if (rule.delayMs > 0 && smtpFaults.beginDelay(session.key)) {
    try {
      await sleep(rule.delayMs, undefined, { signal: caller.gone });
    } catch {
      // The client has given up, most likely after a time-out of its own.
      return { kind: 'cut', answer: cut };
    } finally {
      smtpFaults.endDelay(session.key);
    }
  }
  if (rule.drops) return { kind: 'cut', answer: cut };
  return rule.code === null ? undefined : toFaultRefusal(toRefusal, rule, rule.code);
}

function toFaultRefusal(toRefusal: Struck['toRefusal'], { text }: FaultRule, code: number): Refusal {
  const refusal = toRefusal(code, text === defaultFaultText ? undefined : text);
  return code === 429 || code === 503 ? { ...refusal, retryAfterSeconds } : refusal;
}
