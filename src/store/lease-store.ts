// The port to leases: the time-limited right of one of the nodes that share a store to do a job (poll an account, sweep).
// Every implementation passes test/contract/leases.ts. Time is the store's own clock.

/** The right of one node to poll an account, or to do another job; `epoch` grows with every new holder. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

/** Leases by name, on the store's clock. */
export interface LeaseStore {
  /** Takes it when it is free, has run out or is the holder's own (then the epoch stays); undefined otherwise. */
  takeLease(name: string, holder: string, leaseMs: number): Promise<Lease | undefined>;
  /** At once free for others; does nothing when it is another's by now. */
  releaseLease(lease: Lease): Promise<void>;
}

/** The leases of a store that one process owns: it has all of them. */
export const ownLeases: LeaseStore = {
  takeLease: (name, holder) => Promise.resolve({ name, holder, epoch: 1 }),
  releaseLease: () => Promise.resolve(),
};
