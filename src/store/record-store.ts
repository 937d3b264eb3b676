// The port to the few records of the service as a whole, such as its certificate: sealed by packages/certificates, so that
// the store has only bytes. Every implementation passes test/contract/ports/records.ts.

import type { Lease } from './lease-store.ts';

export interface RecordStore {
  /** Always current, on every node. Resolves with undefined for none. */
  readRecord(name: string): Promise<Uint8Array | undefined>;
  /** Adds or replaces it. */
  writeRecord(name: string, sealed: Uint8Array): Promise<void>;
  /** Likewise; resolves with false, having changed nothing, once another node has the lease. */
  writeRecordUnder(lease: Lease, name: string, sealed: Uint8Array): Promise<boolean>;
}
