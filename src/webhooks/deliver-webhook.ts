// One try of one queued webhook: sends it, judges the endpoint, and tells the store what comes next. Called by the
// dispatcher.

import type { Logger } from '../observe/logger.ts';
import { type DueDelivery, type JobsStore, operatorEndpointId } from '../store/jobs-store.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { challengeDelayAfter, delayAfter } from './retry-schedule.ts';
import { type Outcome, sendChallenge, sendWebhook, type WebhookEndpoint } from './send-webhook.ts';
import { makeWebhookBody, type WebhookContent, webhookIdOf } from './webhook-content.ts';

export interface DeliverOptions {
  readonly jobs: JobsStore;
  readonly content: WebhookContent;
  /** @throws when it cannot be told where to send */
  readonly endpointOf: (due: DueDelivery) => WebhookEndpoint;
  readonly log: Logger;
  /** Told what came of each try. */
  readonly onTry?: (tried: Tried) => void;
  readonly breakers: CircuitBreakers;
}

export interface Tried {
  readonly due: DueDelivery;
  readonly outcome: Outcome;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

interface Verdict {
  readonly error: string | undefined;
  readonly restMs: number;
}

/** A session's endpoint that takes longer for an answer, a good one too, is held to be failing. */
const slowMs = 2000;
/** For rows whose endpoint has enough under way. */
const crowdedMs = 200;

export async function deliverWebhook(options: DeliverOptions, due: DueDelivery): Promise<void> {
  const { jobs, breakers } = options;
  if (!breakers.begin(due.endpointId)) {
    await jobs.postpone(due, { delayMs: crowdedMs, isTry: false });
    return;
  }
  let error: string | undefined = 'not_sent';
  let restMs = 0;
  let outcome: Outcome;
  try {
    const startedAt = performance.now();
    outcome = await trySending(options, due);
    options.onTry?.({ due, outcome, startedAt });
    error = errorOf(due, outcome, performance.now() - startedAt);
  } finally {
    restMs = breakers.end(due.endpointId, error === undefined);
  }
  const verdict = { error, restMs };
  await (due.kind === 'webhook.challenge'
    ? settleChallenge(options, due, { outcome, verdict })
    : settle(options, due, { outcome, verdict }));
}

async function trySending(options: DeliverOptions, due: DueDelivery): Promise<Outcome> {
  const id = webhookIdOf(due);
  let endpoint: WebhookEndpoint;
  try {
    endpoint = options.endpointOf(due);
  } catch (error) {
    // Sealed by another node's key, for example: that node may have it next time.
    options.log.error('webhook.not_sent', { endpoint: due.endpointId, error });
    return { outcome: 'failed', reason: 'not_sent' };
  }
  if (due.kind === 'webhook.challenge') return sendChallenge(endpoint, id);
  return sendWebhook(endpoint, { id, body: await makeWebhookBody(options.content, due) });
}

/** As the session's holder is told; undefined when the endpoint did its part. */
function errorOf(due: DueDelivery, outcome: Outcome, tookMs: number): string | undefined {
  if (outcome.outcome === 'failed') return toCode(outcome.reason);
  if (outcome.outcome === 'gone') return 'answered_410';
  return tookMs >= slowMs && due.endpointId !== operatorEndpointId ? 'too_slow' : undefined;
}

/** `answered 500` → `answered_500` */
function toCode(reason: string): string {
  return reason.replaceAll(' ', '_');
}

interface Settling {
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

async function settleChallenge(
  { jobs, log }: DeliverOptions,
  due: DueDelivery,
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
  due: DueDelivery,
  { outcome, verdict }: Settling,
): Promise<void> {
  if (outcome.outcome === 'done') {
    await jobs.finish(due, verdict);
  } else if (outcome.outcome === 'failed') {
    const tries = due.attempts + 1;
    log.info('webhook.failed', { endpoint: due.endpointId, kind: due.kind, tries, reason: outcome.reason });
    await jobs.postpone(due, { delayMs: delayAfter(tries), isTry: true, ...verdict });
  } else if (due.endpointId === operatorEndpointId) {
    // The operator's own endpoint is not given up for one answer.
    await jobs.bury(due, 'answered 410');
  } else {
    log.info('webhook.closed', { endpoint: due.endpointId, reason: 'answered 410' });
    await jobs.closeEndpoint(due.endpointId, 'answered_410');
  }
}
