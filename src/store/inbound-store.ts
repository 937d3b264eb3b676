// The port to the routes by which other services hand over mail, and to what their requests have proved themselves by.
// Every implementation passes test/contract/ports/inbound.ts.

export interface InboundRoute {
  readonly name: string;
  /** The service that calls it; a name of packages/inbound. */
  readonly provider: string;
  /** The authserv-id whose Authentication-Results are believed; null for none. */
  readonly trusts: string | null;
  /** Its requests are checked with it; sealed under `server.key`. */
  readonly sealed: Uint8Array;
  /** ms since 1970, on the store's clock. */
  readonly createdAt: number;
}

/** The proof that a request brought. */
export interface InboundProof {
  readonly route: string;
  /** 16 bytes. */
  readonly id: Uint8Array;
  /** 16 bytes: what it may be used for. */
  readonly binds: Uint8Array;
  readonly keptMs: number;
}

/**
 * `new`: not seen before. `again`: seen with the same `binds`, but not finished. `done`: likewise, and finished. `other`:
 * seen with other `binds`.
 */
export type InboundClaim = 'new' | 'again' | 'done' | 'other';

export interface InboundStore {
  /** Resolves with false when there is a route of this name. */
  addRoute(route: Omit<InboundRoute, 'createdAt'>): Promise<boolean>;
  /** Always current, on every node. */
  findRoute(name: string): Promise<InboundRoute | undefined>;
  /** In order of name. */
  listRoutes(): Promise<InboundRoute[]>;
  removeRoute(name: string): Promise<boolean>;
  /** Remembers the proof, durably, for as long as it says. */
  claim(proof: InboundProof): Promise<InboundClaim>;
  /** Notes that what was claimed is done. */
  finish(route: string, id: Uint8Array): Promise<void>;
  /** Forgets proofs whose time has passed. */
  sweepProofs(): Promise<void>;
}
