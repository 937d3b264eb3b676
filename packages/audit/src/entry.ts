// An entry of the audit, and the port to what keeps entries. Texts are single lines without secrets.

/** How an operator proved who they are; `link`: by the code of a one-time link. */
export type ActorKind = 'key' | 'passkey' | 'link' | 'command line';

export interface Actor {
  readonly kind: ActorKind;
  /** The name of the key or passkey, or of the user of the machine; empty for none. */
  readonly name: string;
}

/** `begun`: it has not ended yet, or the process died before its end was noted. `failed`: by a fault of ours. */
export type Outcome = 'begun' | 'done' | 'refused' | 'failed';

export interface Act {
  readonly actor: Actor;
  /** Such as `add-domain`. */
  readonly action: string;
  /** The thing it is done to; empty for nothing in particular. */
  readonly target: string;
}

export interface AuditEntry extends Act {
  readonly id: string;
  /** When it began, ms since 1970, on the store's clock. */
  readonly at: number;
  readonly outcome: Outcome;
  /** Why it was refused or failed; empty otherwise. */
  readonly detail: string;
}

export type AuditEnd = Pick<AuditEntry, 'id' | 'outcome' | 'detail' | 'target'>;

export interface AuditBounds {
  /** Entries that began before it are dropped; ms since 1970. */
  readonly before: number;
  /** The newest that are kept, of refusals and of all others. */
  readonly refusedMax: number;
  readonly othersMax: number;
}

export interface AuditStore {
  /** Resolves once the entry is durable; its time is the store's. */
  addEntry(entry: Omit<AuditEntry, 'at'>): Promise<void>;
  /** Does nothing for an entry that was dropped meanwhile. */
  endEntry(end: AuditEnd): Promise<void>;
  /** The newest first, from `since`; after the entry `after` where one is given. */
  listEntries(request: {
    readonly since: number;
    readonly after?: Pick<AuditEntry, 'at' | 'id'> | undefined;
    readonly limit: number;
  }): Promise<AuditEntry[]>;
  sweepEntries(bounds: AuditBounds): Promise<void>;
}
