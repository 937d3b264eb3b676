// The port to what has to be sent later: webhook endpoints, and an outbox whose rows the store writes in the commit of
// the event that they tell. Workers lease rows; a lease that ran out is somebody else's, and its old holder can change
// nothing. Opening a store changes none of this: settings say only what the process that has them queues and sends.
// Every implementation passes test/contract/jobs.ts. Time is the store's own clock.

import type { EventKind } from '../domain/event.ts';
import type { SessionKey } from '../domain/session.ts';

/** Id of the endpoint that the operator set for all sessions. */
export const operatorEndpointId = 1;

export interface OutboxSettings {
  /** Whether what this process writes is told to the operator's endpoint. */
  readonly operator: boolean;
  /** Whether sessions may have an endpoint of their own. */
  readonly sessions: boolean;
  /** Rows kept for one endpoint, dead letters apart; beyond that its events are not told, and it can read the log. */
  readonly rowsPerEndpoint: number;
}

export interface NewEndpoint {
  /** A live session's. */
  readonly key: SessionKey;
  /** URL and secret. */
  readonly sealed: Uint8Array;
  /** Equal for endpoints on one host. */
  readonly hostTag: Uint8Array;
  /** Equal for endpoints made from one network; undefined where that is not known. */
  readonly makerTag?: Uint8Array | undefined;
}

/** `failing`: its last try did not go well. */
export type EndpointStanding = 'pending' | 'active' | 'failing' | 'disabled';

/** What a session's holder is told of its endpoint. */
export interface EndpointStatus {
  readonly standing: EndpointStanding;
  /** Of the last try; null when that went well, or before the first. */
  readonly lastError: string | null;
  /** Events that wait, dead letters apart. */
  readonly queued: number;
  /** Null when nothing waits to be tried. */
  readonly nextTryAt: number | null;
}

/** A session's endpoint for which something is due. */
export interface DueEndpoint {
  readonly endpointId: number;
  readonly standing: Exclude<EndpointStanding, 'disabled'>;
  readonly hostTag: Uint8Array | null;
  readonly makerTag: Uint8Array | null;
}

/** What `listDueEndpoints` leaves out. */
export interface DueExcept {
  readonly standings: readonly EndpointStanding[];
  readonly endpoints: readonly number[];
  readonly hostTags: readonly Uint8Array[];
  readonly makerTags: readonly Uint8Array[];
}

/** How many rows are wanted of an endpoint. */
export interface LeaseShare {
  readonly endpointId: number;
  readonly rows: number;
}

/** What a try tells of the endpoint, beside the row. */
export interface TryVerdict {
  /** A code, kept as the endpoint's last error; undefined when all went well. */
  readonly error?: string | undefined;
  /** Nothing more is due for a session's endpoint so long. */
  readonly restMs?: number | undefined;
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
  /** Endpoints on the host that still take events or wait for their challenge; those of ended sessions do not count. */
  countEndpoints(hostTag: Uint8Array): Promise<number>;
  /** Queues its challenge with it; events wait until it is active. False when the session is not there. */
  addEndpoint(endpoint: NewEndpoint): Promise<boolean>;
  /** Undefined when the session has none. */
  findEndpoint(key: SessionKey): Promise<EndpointStatus | undefined>;
  /**
   * The challenge of that lease was answered: in one commit it goes and the endpoint's events are due, those that waited
   * included. False when the lease was void.
   */
  activateEndpoint(challenge: OutboxLease): Promise<boolean>;
  /** It takes no more events; what is queued for it goes, dead letters included. `error`: why. */
  closeEndpoint(id: number, error: string): Promise<void>;

  /** Endpoints of sessions for which something is due; of each standing at most `limit`, the longest not served first. */
  listDueEndpoints(request: { readonly limit: number; readonly except: DueExcept }): Promise<DueEndpoint[]>;
  /** Of each endpoint the longest due first. An endpoint that was asked for goes behind all others that are due. */
  leaseDue(request: {
    readonly leaseMs: number;
    readonly shares: readonly LeaseShare[];
  }): Promise<DueDelivery[]>;
  /** Done: the row goes. False, as below, when the lease was void. Left out, the verdict is that all went well. */
  finish(lease: OutboxLease, verdict?: TryVerdict): Promise<boolean>;
  /** To be tried again after `delayMs`. `isTry`: whether this one counts. */
  postpone(
    lease: OutboxLease,
    next: TryVerdict & { readonly delayMs: number; readonly isTry: boolean },
  ): Promise<boolean>;
  /** Given up: kept as a dead letter. `reason` is for the operator. */
  bury(lease: OutboxLease, reason: string): Promise<boolean>;

  /** Of all that overflowed since it was last asked, or since the store was opened; each is told once. */
  takeOverflow(): Promise<OutboxOverflow[]>;

  /** The latest first. */
  listDead(limit: number): Promise<DeadDelivery[]>;
  /** One, or all, are due again as if never tried; returns how many. */
  replayDead(rowId: number | 'all'): Promise<number>;
  /**
   * Buries what was queued longer than `giveUpMs` ago, drops dead letters older than `deadMs` or beyond `deadPerEndpoint`,
   * and endpoints of ended sessions for which there is nothing left. Queues the challenge again of an endpoint that
   * waits for one in vain.
   */
  tidy(limits: TidyLimits): Promise<void>;
}

export interface TidyLimits {
  readonly giveUpMs: number;
  readonly deadMs: number;
  /** Infinity for any number. */
  readonly deadPerEndpoint: number;
}
