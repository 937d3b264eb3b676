// The answers to providers. Each has its own status by which it gives a message up; the reply that SMTP would have given
// stands in the answer, for our worker, whose sender is still connected.

import { type Provider, refusedStatus } from '#inbound/provider';
import type { RefusalKind } from '#inbound/intake';
import { type Answer, stringifyWellFormed } from '#http-parts/answer';

/** The outcome for a message. `deferred`: nothing is stored, and a later try may succeed. */
export type Outcome =
  | { readonly kind: 'stored' | 'discarded' | 'confirmed' }
  /** @param reply in one line without its end */
  | { readonly kind: 'refused' | 'deferred'; readonly reply: string };

const retryAfterSeconds = 60;

export function toAnswer(provider: Provider, outcome: Outcome): Answer {
  if (!('reply' in outcome)) return toJson(200, { status: 'success', outcome: outcome.kind });
  const { kind, reply } = outcome;
  const body = { status: 'error', code: kind, message: messageOf(reply), reply };
  // The worker passes the reply on to a sender who can try again.
  const isFinal = kind === 'refused' || (provider === 'cloudflare' && isOfRecipient(reply));
  if (isFinal) return toJson(refusedStatus[provider], body);
  return toJson(503, body, { 'retry-after': String(retryAfterSeconds) });
}

export function toRefusal(kind: RefusalKind, message: string): Answer {
  return toJson(kind === 'unauthorized' ? 401 : 400, { status: 'error', code: kind, message });
}

function toJson(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: `${stringifyWellFormed(body)}\n` };
}

/** Without the codes. */
function messageOf(reply: string): string {
  return `${reply.replace(/^\d{3} \d\.\d{1,3}\.\d{1,3} /, '')}.`;
}

/** Reports whether it is about a recipient (RFC 3463 §3.3), not about us. */
function isOfRecipient(reply: string): boolean {
  return /^\d{3} \d\.2\./.test(reply);
}
