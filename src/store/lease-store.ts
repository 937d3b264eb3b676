// The port to leases: the time-limited right of one of several nodes to do a job (poll an account, sweep). Every
// implementation passes test/contract/leases.ts. Time is the store's own clock.

/** The right of one node to do a job; `epoch` grows with every new holder. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

/** Leases by name, on the store's clock. */
export interface LeaseStore {
  /** Takes the lease if it is free, expired or the holder's own (which keeps the epoch); otherwise undefined. */
  takeLease(name: string, holder: string, leaseMs: number): Promise<Lease | undefined>;
  /** Frees it at once for others; does nothing when another node has it. */
  releaseLease(lease: Lease): Promise<void>;
}

/** The leases of a store that one process owns, which always has them all. */
export const ownLeases: LeaseStore = {
  takeLease: (name, holder) => Promise.resolve({ name, holder, epoch: 1 }),
  releaseLease: () => Promise.resolve(),
};
