// Tries to hold a lease, and reports whether it is held at this moment. Uses the monotonic clock from before each
// request, so that a node that was suspended notices at once that its lease has expired.

import type { Lease, LeaseStore } from './lease-store.ts';

export interface HoldLeaseOptions {
  readonly leases: LeaseStore;
  readonly name: string;
  /** Unique to this holder. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
}

export interface HeldLease {
  /** Returns undefined while another node has it, or may have. */
  current: () => Lease | undefined;
  /** Calls the listener each time the lease is newly acquired. */
  onTaken(listener: () => void): void;
  /** Frees it for others. */
  close(): Promise<void>;
}

/** The time within which another node takes over after the holder dies. */
const leaseMs = 12_000;
const renewMs = 3000;

export function holdLease({ leases, name, holder, onError }: HoldLeaseOptions): HeldLease {
  let lease: Lease | undefined;
  let heldUntil = -Infinity;
  let isClosed = false;
  let asking: Promise<void> | undefined;
  const listeners: (() => void)[] = [];
  const current = (): Lease | undefined => (performance.now() < heldUntil ? lease : undefined);

  async function ask(): Promise<void> {
    const askedAt = performance.now();
    const wasHeld = current() !== undefined;
    try {
      lease = await leases.takeLease(name, holder, leaseMs);
      heldUntil = askedAt + leaseMs;
      if (lease && !wasHeld) for (const listener of listeners) listener();
    } catch (error) {
      onError(error);
    } finally {
      asking = undefined;
    }
  }

  const renew = (): void => {
    if (!isClosed) asking ??= ask();
  };
  const timer = setInterval(renew, renewMs).unref();
  setImmediate(renew);
  return {
    current,
    onTaken: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await asking;
      const held = current();
      lease = undefined;
      if (held) await leases.releaseLease(held).catch(onError);
    },
  };
}
