// Takes what is due from the outbox and sends it, some at once, until it is delivered, refused or a day old. A lease
// guards every row: after a crash, or from another node, somebody else takes it up again. Made by app.ts; must not
// touch the receiving path.

import type { Logger } from '../observe/logger.ts';
import type { DueDelivery, JobsStore } from '../store/jobs-store.ts';
import { CircuitBreakers } from './circuit-breakers.ts';
import { OverflowReport } from './overflow-report.ts';
import { challengeDelayAfter, delayAfter, giveUpMs } from './retry-schedule.ts';
import { type Outcome, sendChallenge, sendWebhook, type WebhookEndpoint } from './send-webhook.ts';
import { makeWebhookBody, type WebhookContentDeps, webhookIdOf } from './webhook-content.ts';

export interface DispatcherOptions {
  readonly jobs: JobsStore;
  readonly content: WebhookContentDeps;
  /** Undefined when it can no longer be told where to send. */
  readonly endpointOf: (due: DueDelivery) => WebhookEndpoint | undefined;
  readonly log: Logger;
  /** Told what came of each try. */
  readonly onTry?: (tried: Tried) => void;
}

export interface Tried {
  readonly due: DueDelivery;
  readonly outcome: Outcome;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

export interface Dispatcher {
  /** Something may be due. Cheap. */
  wake(): void;
  /** Takes no more; resolves when what is in flight has ended. */
  close(): Promise<void>;
}

const atOnce = 32;
/** Longer than a try takes, of which five seconds are for the endpoint; when a node dies another tries 15 s later. */
const leaseMs = 14_000;
const pollMs = 500;
/** For rows whose endpoint has enough in flight. */
const crowdedMs = 200;
const tidyMs = 60_000;
const deadMs = 7 * 24 * 3_600_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { jobs } = options;
  const breakers = new CircuitBreakers();
  const overflow = new OverflowReport(jobs, options.log);
  const inFlight = new Set<Promise<void>>();
  const pause = createPause();
  let isClosed = false;
  let tidiedAt = -Infinity;
  const logAs = (event: string) => (error: unknown) => {
    options.log.error(event, { error });
  };

  function start(due: DueDelivery): void {
    const task: Promise<void> = attempt(options, breakers, due)
      // The lease runs out and the row is taken up again.
      .catch(logAs('webhook.broke_off'))
      .then(() => {
        inFlight.delete(task);
        pause.wake();
      });
    inFlight.add(task);
  }

  async function takeDue(): Promise<void> {
    await overflow.tellWhenDue();
    if (performance.now() - tidiedAt >= tidyMs) {
      tidiedAt = performance.now();
      await jobs.tidy({ giveUpMs, deadMs });
    }
    const limit = atOnce - inFlight.size;
    if (limit === 0) return;
    const due = await jobs.leaseDue({ limit, leaseMs, except: breakers.listBlocked() });
    for (const one of due) start(one);
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      pause.begin();
      await takeDue().catch(logAs('webhook.queue_failed'));
      if (!isClosed) await pause.rest(pollMs);
    }
    await Promise.all(inFlight);
    await overflow.tell().catch(logAs('webhook.queue_failed'));
  }

  const running = run();
  return {
    wake: () => {
      pause.wake();
    },
    close: () => {
      isClosed = true;
      pause.wake();
      return running;
    },
  };
}

async function attempt(
  options: DispatcherOptions,
  breakers: CircuitBreakers,
  due: DueDelivery,
): Promise<void> {
  if (!breakers.begin(due.endpointId)) {
    await options.jobs.postpone(due, { delayMs: crowdedMs, isTry: false });
    return;
  }
  let isGood = false;
  try {
    isGood = await deliver(options, due);
  } finally {
    breakers.end(due.endpointId, isGood);
  }
}

interface Pause {
  /** Wakes from here on count for the next rest. */
  begin(): void;
  /** At most so long; not at all when woken since `begin`. */
  rest(ms: number): Promise<void>;
  wake(): void;
}

function createPause(): Pause {
  let isWoken = false;
  let goOn = (): void => undefined;
  return {
    begin: () => {
      isWoken = false;
    },
    rest: (ms) => {
      if (isWoken) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        goOn = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    wake: () => {
      isWoken = true;
      goOn();
    },
  };
}

/** Whether the endpoint did its part. */
async function deliver(options: DispatcherOptions, due: DueDelivery): Promise<boolean> {
  const endpoint = options.endpointOf(due);
  if (!endpoint) {
    await options.jobs.closeEndpoint(due.endpointId);
    return true;
  }
  const isChallenge = due.kind === 'webhook.challenge';
  const id = webhookIdOf(due);
  const startedAt = performance.now();
  const outcome = isChallenge
    ? await sendChallenge(endpoint, id)
    : await sendWebhook(endpoint, { id, body: await makeWebhookBody(options.content, due) });
  options.onTry?.({ due, outcome, startedAt });
  await (isChallenge ? settleChallenge(options, due, outcome) : settle(options, due, outcome));
  return outcome.outcome !== 'failed';
}

async function settleChallenge(
  { jobs, log }: DispatcherOptions,
  due: DueDelivery,
  outcome: Outcome,
): Promise<void> {
  if (outcome.outcome === 'done') {
    if (await jobs.finish(due)) await jobs.activateEndpoint(due.endpointId);
    return;
  }
  const delayMs = outcome.outcome === 'failed' ? challengeDelayAfter(due.attempts + 1) : undefined;
  const reason = outcome.outcome === 'failed' ? outcome.reason : 'answered 410';
  log.info('webhook.challenge_failed', { endpoint: due.endpointId, reason, is_last: delayMs === undefined });
  if (delayMs === undefined) await jobs.closeEndpoint(due.endpointId);
  else await jobs.postpone(due, { delayMs, isTry: true });
}

async function settle({ jobs, log }: DispatcherOptions, due: DueDelivery, outcome: Outcome): Promise<void> {
  if (outcome.outcome === 'done') {
    await jobs.finish(due);
  } else if (outcome.outcome === 'failed') {
    const tries = due.attempts + 1;
    log.info('webhook.failed', { endpoint: due.endpointId, kind: due.kind, tries, reason: outcome.reason });
    await jobs.postpone(due, { delayMs: delayAfter(tries), isTry: true });
  } else if (due.sealed === null) {
    // The operator's own endpoint is not given up for one answer.
    await jobs.bury(due, 'answered 410');
  } else {
    log.info('webhook.closed', { endpoint: due.endpointId, reason: 'answered 410' });
    await jobs.closeEndpoint(due.endpointId);
  }
}
