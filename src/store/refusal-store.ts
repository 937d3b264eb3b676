// The port to what was refused before a recipient was accepted, by hour, network, stage and cause. Every implementation
// passes test/contract/ports/refusals.ts.

export interface NewRefusal {
  /** Or `*` for those that were too many to be kept apart; empty when unknown. */
  readonly network: string;
  readonly stage: string;
  readonly cause: string;
  readonly count: number;
  /** The latest, ms since 1970. */
  readonly lastAt: number;
  /** Its address; null when unknown. */
  readonly host: string | null;
  readonly helo: string;
  /** The sender's domain, '' for a bounce; null where no sender was named. */
  readonly sender: string | null;
}

export interface KeptRefusal extends NewRefusal {
  /** When the hour began, ms since 1970, UTC. */
  readonly at: number;
}

export interface RefusalStore {
  /** Adds to the rows of the hour that now is, on the store's clock. */
  addRefusals(refusals: readonly NewRefusal[]): Promise<void>;
  /** Returns the rows of hours that began at the instant or later, the latest first. */
  listRefusals(since: number): Promise<KeptRefusal[]>;
  /** Forgets hours that began before the instant, and the earliest when there are more rows than `rowsMax`. */
  sweepRefusals(kept: { readonly before: number; readonly rowsMax: number }): Promise<void>;
}
