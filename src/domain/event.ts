// Entries of a session's ordered log. Messages and events share one sequence; an entry holds references only.

export type EventKind =
  | 'message.received'
  | 'message.deleted'
  | 'message.dropped'
  | 'message.read'
  | 'message.unread'
  | 'session.extended'
  | 'session.renamed'
  | 'session.expired';

export interface SessionEvent {
  /** Position in the session's log; for `message.received` also the message's id. */
  readonly seq: number;
  readonly kind: EventKind;
  /** Instant in ms since 1970. */
  readonly at: number;
  /** The message the entry is about, null for entries about the session. */
  readonly messageId: number | null;
}

/** A log keeps its newest entries only; a resume from before the oldest kept one has to list again. */
export const eventLogMaxEntries = 1000;
