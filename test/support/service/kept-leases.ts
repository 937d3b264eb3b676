// In-memory leases shared by nodes of a test: SQLite has none, since one process owns its file.

import type { Lease, LeaseStore } from '../../../src/store/lease-store.ts';

export function createKeptLeases(now: () => number): LeaseStore {
  const kept = new Map<string, Lease & { readonly until: number }>();
  return {
    takeLease: (name, holder, leaseMs) => {
      const held = kept.get(name);
      if (held && held.holder !== holder && held.until > now()) return Promise.resolve(undefined);
      const epoch = held?.holder === holder ? held.epoch : (held?.epoch ?? 0) + 1;
      kept.set(name, { name, holder, epoch, until: now() + leaseMs });
      return Promise.resolve({ name, holder, epoch });
    },
    releaseLease: ({ name, holder, epoch }) => {
      const held = kept.get(name);
      if (held?.holder === holder && held.epoch === epoch) kept.set(name, { ...held, holder: '', until: 0 });
      return Promise.resolve();
    },
  };
}
