// Entries of a session's ordered log. Messages and events share one sequence; entries hold references only.

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
  /** The message that the entry is about; null for entries about the session. */
  readonly messageId: number | null;
}

/** A log keeps only its newest entries; a client that resumes from before the oldest must list again. */
export const eventLogMaxEntries = 1000;
