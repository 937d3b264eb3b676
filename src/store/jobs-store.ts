// The port to what has to be sent later: webhook endpoints, and an outbox whose rows the store writes in the commit of
// the event that they tell. Workers lease rows; a lease that ran out is somebody else's, and its old holder can change
// nothing. Every implementation passes test/contract/jobs.ts. Time is the store's own clock.

import type { EventKind } from '../domain/event.ts';
import type { SessionKey } from '../domain/session.ts';

/** Id of the endpoint that the operator set for all sessions. */
export const operatorEndpointId = 1;

export interface OutboxSettings {
  /** Whether every session's events go to the operator's endpoint. */
  readonly operator: boolean;
  /** Whether sessions may have an endpoint of their own. */
  readonly sessions: boolean;
  /** Rows kept for one endpoint; beyond that its events are not told, and it can read the log. */
  readonly rowsPerEndpoint: number;
}

export interface NewEndpoint {
  /** A live session's. */
  readonly key: SessionKey;
  /** URL and secret. */
  readonly sealed: Uint8Array;
  /** Equal for endpoints on one host. */
  readonly hostTag: Uint8Array;
}

/** What an endpoint is not told of, since its queue was full. */
export interface OutboxOverflow {
  readonly endpointId: number;
  readonly events: number;
}

/** The right to finish one row; void once the row was leased again. */
export interface OutboxLease {
  readonly rowId: number;
  readonly lease: number;
}

export interface DueDelivery extends OutboxLease {
  readonly endpointId: number;
  /** Null for the operator's endpoint. */
  readonly sealed: Uint8Array | null;
  readonly key: SessionKey;
  readonly seq: number;
  readonly kind: EventKind | 'webhook.challenge';
  readonly messageId: number | null;
  /** Instant of the event, ms since 1970. */
  readonly at: number;
  /** Tries before this one. */
  readonly attempts: number;
}

export interface DeadDelivery {
  readonly rowId: number;
  readonly endpointId: number;
  readonly kind: string;
  readonly seq: number;
  readonly at: number;
  readonly deadAt: number;
  readonly attempts: number;
  readonly reason: string;
}

export interface JobsStore {
  /** Endpoints that still take events, on the host. */
  countEndpoints(hostTag: Uint8Array): Promise<number>;
  /** Queues its challenge with it; events wait until it is active. False when the session is not there. */
  addEndpoint(endpoint: NewEndpoint): Promise<boolean>;
  /** From now on its events are due, those that waited included. */
  activateEndpoint(id: number): Promise<void>;
  /** It takes no more events; what is queued for it goes. */
  closeEndpoint(id: number): Promise<void>;

  /** The longest due first, none of the endpoints in `except`. */
  leaseDue(request: {
    readonly limit: number;
    readonly leaseMs: number;
    readonly except: readonly number[];
  }): Promise<DueDelivery[]>;
  /** Done: the row goes. False, as below, when the lease was void. */
  finish(lease: OutboxLease): Promise<boolean>;
  /** To be tried again after `delayMs`. `isTry`: whether this one counts. */
  postpone(lease: OutboxLease, next: { readonly delayMs: number; readonly isTry: boolean }): Promise<boolean>;
  /** Given up: kept as a dead letter. `reason` is for the operator. */
  bury(lease: OutboxLease, reason: string): Promise<boolean>;

  /** Of all that overflowed since it was last asked, or since the store was opened; each is told once. */
  takeOverflow(): Promise<OutboxOverflow[]>;

  /** The latest first. */
  listDead(limit: number): Promise<DeadDelivery[]>;
  /** One, or all, are due again as if never tried; returns how many. */
  replayDead(rowId: number | 'all'): Promise<number>;
  /**
   * Buries what was queued longer than `giveUpMs` ago, drops dead letters older than `deadMs` and endpoints of ended
   * sessions for which nothing is queued.
   */
  tidy(ages: { readonly giveUpMs: number; readonly deadMs: number }): Promise<void>;
}
