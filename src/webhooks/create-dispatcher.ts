// Sends due rows of the outbox, several at once, until each is delivered, refused or a day old. A lease guards every
// row: after a crash another worker, possibly on another node, takes over. With webhooks off it only removes the rows
// that are left over.

import { createPause } from '#networks/pause';
import type { Logger } from '#telemetry/logger';
import { CircuitBreakers } from '#notifications/circuit-breakers';
import { giveUpMs } from '#notifications/retry-schedule';
import { type DueWebhook, operatorEndpointId } from '../store/jobs-store.ts';
import { type DeliverOptions, deliverWebhook } from './deliver-webhook.ts';
import { OverflowReport } from '#notifications/overflow-report';
import { type DueEndpoint, WebhookSlots } from '#notifications/webhook-slots';

export interface DispatcherOptions extends Omit<DeliverOptions, 'breakers'> {
  /** Which webhooks this node can send; it leaves the others alone. */
  readonly serves: { readonly operator: boolean; readonly sessions: boolean };
  /** Dead letters kept per endpoint. */
  readonly deadPerEndpoint: number;
}

export interface Dispatcher {
  /** Call when something may be due. Cheap. */
  wake(): void;
  /** Accepts no more rows; resolves when sends in progress have ended. */
  close(): Promise<void>;
}

/** Longer than a try, in which the endpoint has five seconds. When a node dies, another retries 15 s later. */
const leaseMs = 14_000;
const pollMs = 500;
const tidyMs = 60_000;
const deadMs = 7 * 24 * 3_600_000;
/** Endpoints per query; repeated while there are free places. */
const endpointsAtOnce = 32;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { jobs, log, serves } = options;
  const overflow = new OverflowReport(jobs, log);
  const pause = createPause();
  const breakers = new CircuitBreakers();
  const tidy = createTidying(options, breakers);
  const sender = new Sender(options, breakers, () => {
    pause.wake();
  });
  const isServing = serves.operator || serves.sessions;
  let isClosed = false;

  async function takeDue(): Promise<void> {
    await tidy();
    if (isServing) await overflow.reportWhenDue();
    if (serves.operator) await sender.takeOperators();
    if (serves.sessions) await sender.takeSessions(() => isClosed);
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      pause.begin();
      await takeDue().catch(logAs(log, 'webhook.queue_failed'));
      if (!isClosed) await pause.rest(isServing ? pollMs : tidyMs);
    }
    await sender.settle();
    if (isServing) await overflow.report().catch(logAs(log, 'webhook.queue_failed'));
  }

  const running = run();
  return {
    wake: () => {
      if (isServing) pause.wake();
    },
    close: () => {
      isClosed = true;
      pause.wake();
      return running;
    },
  };
}

/** The sends in progress, and the places for more. */
class Sender {
  readonly #options: DispatcherOptions;
  readonly #breakers: CircuitBreakers;
  readonly #onEnd: () => void;
  readonly #slots = new WebhookSlots(operatorEndpointId);
  readonly #inFlight = new Set<Promise<void>>();

  /** `onEnd`: called after each, when a place is free again. */
  constructor(options: DispatcherOptions, breakers: CircuitBreakers, onEnd: () => void) {
    this.#options = options;
    this.#breakers = breakers;
    this.#onEnd = onEnd;
  }

  async takeOperators(): Promise<void> {
    const rows = Math.min(this.#slots.operatorRoom(), this.#breakers.room(operatorEndpointId));
    if (rows === 0) return;
    const shares = [{ endpointId: operatorEndpointId, rows }];
    const due = await this.#options.jobs.leaseDue({ leaseMs, shares });
    for (const one of due) this.#start(one, this.#slots.takeOperators());
  }

  /** Runs until the places are taken or nothing is due. */
  async takeSessions(isClosed: () => boolean): Promise<void> {
    const { jobs } = this.#options;
    while (this.#slots.hasSessionRoom() && !isClosed()) {
      const except = this.#slots.except();
      const endpoints = await jobs.listDueEndpoints({ limit: endpointsAtOnce, except });
      const shares = this.#slots.share(endpoints);
      if (shares.length === 0) return;
      const due = await jobs.leaseDue({ leaseMs, shares });
      if (due.length === 0) return;
      const byId = new Map(endpoints.map((one) => [one.endpointId, one] as const));
      for (const one of due) this.#startSessions(one, byId.get(one.endpointId));
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  #startSessions(due: DueWebhook, endpoint: DueEndpoint | undefined): void {
    const release = endpoint && this.#slots.take(endpoint);
    // The shares were computed to fit; if there is no place nevertheless, the lease expires.
    if (release) this.#start(due, release);
  }

  #start(due: DueWebhook, release: () => void): void {
    const task: Promise<void> = deliverWebhook({ ...this.#options, breakers: this.#breakers }, due)
      // The lease expires and the row is taken again.
      .catch(logAs(this.#options.log, 'webhook.broke_off'))
      .then(() => {
        release();
        this.#inFlight.delete(task);
        this.#onEnd();
      });
    this.#inFlight.add(task);
  }
}

function createTidying(
  { jobs, deadPerEndpoint }: DispatcherOptions,
  breakers: CircuitBreakers,
): () => Promise<void> {
  let tidiedAt = -Infinity;
  return async () => {
    if (performance.now() - tidiedAt < tidyMs) return;
    tidiedAt = performance.now();
    breakers.forgetIdle();
    await jobs.tidy({ giveUpMs, deadMs, deadPerEndpoint });
  };
}

function logAs(log: Logger, event: string): (error: unknown) => void {
  return (error) => {
    log.error(event, { error });
  };
}
