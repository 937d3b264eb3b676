// The port to webhook endpoints and the outbox, whose rows the store writes in the same commit as the event they
// report. Workers lease rows; an expired lease may go to another worker, and its former holder can change nothing.
// Opening a store changes none of this: settings only decide what this process queues and sends. Every implementation
// passes test/contract/jobs.ts. Time is the store's own clock.

import type { DueEndpoint, DueExcept, DueStanding, LeaseShare } from '#notifications/webhook-slots';
import type { EventKind } from '../domain/event.ts';
import type { SessionKey } from '../domain/session.ts';

/** Id of the endpoint that the operator configured for all sessions. */
export const operatorEndpointId = 1;

export interface OutboxSettings {
  /** Whether this process queues events for the operator's endpoint. */
  readonly operator: boolean;
  /** Whether sessions may have an endpoint of their own. */
  readonly sessions: boolean;
  /**
   * The most rows for one endpoint, without dead letters. Further events are dropped; the receiver can read the log.
   */
  readonly rowsPerEndpoint: number;
}

export interface NewEndpoint {
  /** The key of a live session. */
  readonly key: SessionKey;
  /** URL and secret. */
  readonly sealed: Uint8Array;
  /** The same for endpoints on one host. */
  readonly hostTag: Uint8Array;
  /** The same for endpoints created from one network; undefined when it is unknown. */
  readonly makerTag?: Uint8Array | undefined;
}

export type EndpointStanding = DueStanding | 'disabled';

/** An endpoint as shown to its session's holder. */
export interface EndpointStatus {
  readonly standing: EndpointStanding;
  /** From the last try; null when it succeeded, or before the first. */
  readonly lastError: string | null;
  /** Waiting events, without dead letters. */
  readonly queued: number;
  /** Null when nothing is waiting. */
  readonly nextTryAt: number | null;
}

/** The result of a try for the endpoint, in addition to the row. */
export interface TryVerdict {
  /** A code, stored as the endpoint's last error; undefined after a success. */
  readonly error?: string | undefined;
  /** How long to pause before a session's endpoint is due again. */
  readonly restMs?: number | undefined;
}

/** Events that an endpoint missed because its queue was full. */
export interface OutboxOverflow {
  readonly endpointId: number;
  readonly events: number;
}

/** The right to finish one row; void once the row was leased again. */
export interface OutboxLease {
  readonly rowId: number;
  readonly lease: number;
}

export interface DueWebhook extends OutboxLease {
  readonly endpointId: number;
  /** Null for the operator's endpoint. */
  readonly sealed: Uint8Array | null;
  readonly key: SessionKey;
  readonly seq: number;
  readonly kind: EventKind | 'webhook.challenge';
  readonly messageId: number | null;
  /** When the event happened, ms since 1970. */
  readonly at: number;
  /** Earlier tries. */
  readonly attempts: number;
  /** As given to `keepContents`; null for none, or for none yet. */
  readonly content: Uint8Array | null;
}

/** An endpoint of a session that receives the events of its mail. */
export interface Subscriber {
  readonly endpointId: number;
  readonly sealed: Uint8Array;
}

/** The part of a new message's event that shows the message. */
export interface KeptContent {
  readonly key: SessionKey;
  readonly messageId: number;
  readonly endpointId: number;
  /** Sealed. */
  readonly content: Uint8Array;
}

export interface DeadWebhook {
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
  /** Counts endpoints on the host that are active or wait for their challenge, except those of ended sessions. */
  countEndpoints(hostTag: Uint8Array): Promise<number>;
  /** Also queues its challenge; events wait until it is active. Resolves with false when the session does not exist. */
  addEndpoint(endpoint: NewEndpoint): Promise<boolean>;
  /** Resolves with undefined when the session has none. */
  findEndpoint(key: SessionKey): Promise<EndpointStatus | undefined>;
  /**
   * Call when the leased challenge was answered: one commit removes it and makes the endpoint's events due, including
   * those that waited. Resolves with false when the lease was void.
   */
  activateEndpoint(challenge: OutboxLease): Promise<boolean>;
  /** Disables the endpoint and removes its queue, including dead letters. `error`: the reason. */
  closeEndpoint(id: number, error: string): Promise<void>;

  /** Returns sessions' endpoints with due rows; at most `limit` of each standing, the longest unserved first. */
  listDueEndpoints(request: { readonly limit: number; readonly except: DueExcept }): Promise<DueEndpoint[]>;
  /** Leases the longest due rows of each endpoint first. Endpoints named in the request come after all others. */
  leaseDue(request: {
    readonly leaseMs: number;
    readonly shares: readonly LeaseShare[];
  }): Promise<DueWebhook[]>;
  /**
   * Removes a finished row. Resolves with false, like the following, when the lease was void. Without a verdict the
   * try succeeded.
   */
  finish(lease: OutboxLease, verdict?: TryVerdict): Promise<boolean>;
  /** Schedules another try after `delayMs`. `isTry`: whether this one counts. */
  postpone(
    lease: OutboxLease,
    next: TryVerdict & { readonly delayMs: number; readonly isTry: boolean },
  ): Promise<boolean>;
  /** Gives up on the row and keeps it as a dead letter. `reason` is for the operator. */
  bury(lease: OutboxLease, reason: string): Promise<boolean>;

  /** Returns the session's endpoints that are active or wait for their challenge. Called for every message. */
  listSubscribers(key: SessionKey): Promise<readonly Subscriber[]>;
  /**
   * Keeps contents with their rows: until they are finished, given up or removed, or the message or its session goes.
   * Resolves with those whose rows are not there, or not yet.
   */
  keepContents(contents: readonly KeptContent[]): Promise<KeptContent[]>;
  /** Returns the bytes of all contents. */
  countContentBytes(): Promise<number>;

  /** Returns all overflows since the last call, or since the store was opened; each once. */
  takeOverflow(): Promise<OutboxOverflow[]>;

  /** The latest first. */
  listDead(limit: number): Promise<DeadWebhook[]>;
  /** Makes one or all due again as if never tried; resolves with how many. */
  replayDead(rowId: number | 'all'): Promise<number>;
  /**
   * Buries rows queued longer than `giveUpMs`, drops dead letters older than `deadMs` or beyond `deadPerEndpoint`, and
   * removes endpoints of ended sessions that have no rows left. Requeues lost challenges.
   */
  tidy(limits: TidyLimits): Promise<void>;
}

export interface TidyLimits {
  readonly giveUpMs: number;
  readonly deadMs: number;
  /** Infinity for no limit. */
  readonly deadPerEndpoint: number;
}
