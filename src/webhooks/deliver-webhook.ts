// Performs one try of one queued webhook: sends it, judges the endpoint, and records the result. Called by the
// dispatcher.

import type { Logger } from '#telemetry/logger';
import type { CircuitBreakers } from '#notifications/circuit-breakers';
import { challengeDelayAfter, delayAfter } from '#notifications/retry-schedule';
import { type DueWebhook, type JobsStore, operatorEndpointId } from '../store/jobs-store.ts';
import { type Outcome, sendChallenge, sendWebhook, type WebhookEndpoint } from '#notifications/send-webhook';
import { makeWebhookEvent, type WebhookContent, webhookIdOf } from './webhook-content.ts';
import type { Span } from '#telemetry/traces';

export interface DeliverOptions {
  readonly jobs: JobsStore;
  /** The store's clock, ms since 1970: receivers reject timestamps that are minutes off, and nodes may be. */
  readonly now: () => number;
  readonly content: WebhookContent;
  /** Returns undefined when it cannot be opened: it was sealed under an earlier server.key. @throws Error */
  readonly endpointOf: (due: DueWebhook) => WebhookEndpoint | undefined;
  readonly log: Logger;
  /** Called with the result of each try. */
  readonly onTry: (tried: Tried) => void;
  readonly breakers: CircuitBreakers;
}

export interface Tried {
  readonly due: DueWebhook;
  readonly outcome: Outcome;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

interface Verdict {
  readonly error: string | undefined;
  readonly restMs: number;
}

/** A session's endpoint that answers more slowly counts as failing, even with a good answer. */
const slowMs = 2000;
/** The delay for rows of endpoints with enough sends in progress, and for those whose content is being made. */
const crowdedMs = 200;

export async function deliverWebhook(options: DeliverOptions, due: DueWebhook): Promise<void> {
  const { jobs, breakers, log } = options;
  const prepared = await prepare(options, due);
  if (prepared === 'unreadable') {
    log.error('webhook.closed', { endpoint: due.endpointId, reason: prepared });
    await jobs.closeEndpoint(due.endpointId, prepared);
    return;
  }
  if (prepared === 'soon' || !breakers.begin(due.endpointId)) {
    await jobs.postpone(due, { delayMs: crowdedMs, isTry: false });
    return;
  }
  let error: string | undefined = 'not_sent';
  let restMs = 0;
  let outcome: Outcome;
  try {
    const startedAt = performance.now();
    outcome = await prepared();
    options.onTry({ due, outcome, startedAt });
    error = errorOf(due, outcome, performance.now() - startedAt);
  } finally {
    restMs = breakers.end(due.endpointId, error === undefined);
  }
  const verdict = { error, restMs };
  await (due.kind === 'webhook.challenge'
    ? settleChallenge(options, due, { outcome, verdict })
    : settle(options, due, { outcome, verdict }));
}

/** Returns the try; `soon` while its content is expected to come, `unreadable` for an endpoint that is lost. */
async function prepare(
  options: DeliverOptions,
  due: DueWebhook,
): Promise<'soon' | 'unreadable' | (() => Promise<Outcome>)> {
  const id = webhookIdOf(due);
  try {
    const endpoint = options.endpointOf(due);
    if (!endpoint) return 'unreadable';
    if (due.kind === 'webhook.challenge') {
      return () => sendChallenge(endpoint, { id, now: options.now() });
    }
    const event = await makeWebhookEvent(options.content, due);
    if (event === undefined) return 'soon';
    return () => sendWebhook(endpoint, { id, event, now: options.now() });
  } catch (error) {
    options.log.error('webhook.not_sent', { endpoint: due.endpointId, error });
    return () => Promise.resolve({ outcome: 'failed', reason: 'not_sent' });
  }
}

/** Returns the code shown to the session's holder; undefined when the endpoint was fine. */
function errorOf(due: DueWebhook, outcome: Outcome, tookMs: number): string | undefined {
  if (outcome.outcome === 'failed') return toCode(outcome.reason);
  if (outcome.outcome === 'gone') return 'answered_410';
  return tookMs >= slowMs && due.endpointId !== operatorEndpointId ? 'too_slow' : undefined;
}

/** Converts `answered 500` to `answered_500`. */
function toCode(reason: string): string {
  return reason.replaceAll(' ', '_');
}

interface Settling {
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

async function settleChallenge(
  { jobs, log }: DeliverOptions,
  due: DueWebhook,
  { outcome, verdict }: Settling,
): Promise<void> {
  if (outcome.outcome === 'done') {
    await jobs.activateEndpoint(due);
    return;
  }
  const delayMs = outcome.outcome === 'failed' ? challengeDelayAfter(due.attempts + 1) : undefined;
  const reason = outcome.outcome === 'failed' ? outcome.reason : 'answered 410';
  log.info('webhook.challenge_failed', { endpoint: due.endpointId, reason, is_last: delayMs === undefined });
  if (delayMs === undefined) await jobs.closeEndpoint(due.endpointId, toCode(reason));
  else await jobs.postpone(due, { delayMs, isTry: true, error: verdict.error });
}

async function settle(
  { jobs, log }: DeliverOptions,
  due: DueWebhook,
  { outcome, verdict }: Settling,
): Promise<void> {
  if (outcome.outcome === 'done') {
    await jobs.finish(due, verdict);
  } else if (outcome.outcome === 'failed') {
    const tries = due.attempts + 1;
    log.info('webhook.failed', { endpoint: due.endpointId, kind: due.kind, tries, reason: outcome.reason });
    await jobs.postpone(due, { delayMs: delayAfter(tries), isTry: true, ...verdict });
  } else if (due.endpointId === operatorEndpointId) {
    // The operator's own endpoint is not disabled after one answer.
    await jobs.bury(due, 'answered 410');
  } else {
    log.info('webhook.closed', { endpoint: due.endpointId, reason: 'answered 410' });
    await jobs.closeEndpoint(due.endpointId, 'answered_410');
  }
}

/** Without the URL, which is secret for sessions; the endpoint's number identifies it. */
export function toWebhookSpan({ due, outcome, startedAt }: Tried): Span {
  return {
    name: 'webhook',
    kind: 'client',
    startedAt,
    endedAt: performance.now(),
    hasFailed: outcome.outcome === 'failed',
    attributes: {
      'mayfly.webhook.endpoint': due.endpointId,
      'mayfly.webhook.event': due.kind,
      'mayfly.webhook.try': due.attempts + 1,
      'mayfly.outcome': outcome.outcome,
      'error.type': outcome.outcome === 'failed' ? outcome.reason : undefined,
    },
  };
}
