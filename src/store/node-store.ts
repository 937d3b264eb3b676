// The port to the list of processes that share a store: which are alive, and which version each runs. Every
// implementation passes test/contract/shared-nodes.ts.

export interface StoredNode {
  /** Random, of one run of one process. */
  readonly run: string;
  /** The same when it starts again. */
  readonly place: string;
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  /** Instants in ms since 1970, on the store's clock. */
  readonly startedAt: number;
  readonly seenAt: number;
}

export interface NodeStore {
  /** Notes that the process lives, and forgets those unseen for `forgottenMs`. */
  beat(node: Omit<StoredNode, 'startedAt' | 'seenAt'>, forgottenMs: number): Promise<void>;
  /** For a process that ends of itself. */
  leave(run: string): Promise<void>;
  /** In order of host and start. */
  listNodes(): Promise<StoredNode[]>;
}
