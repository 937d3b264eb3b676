// The pollers running in this process, each under its account's lease. Kept in step with the list of accounts by
// create-gmail-pollers, one call at a time.

import { createSemaphore } from '#networks/semaphore';
import type { GmailAccount } from '../store/gmail-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { GmailPollersOptions, GmailTimes } from './gmail-pollers-options.ts';
import { type AccountPoller, startAccountPoller } from './poll-account.ts';

interface Running {
  readonly lease: Lease;
  readonly revision: number;
  readonly poller: AccountPoller;
  /** Monotonic ms. */
  renewedAt: number;
}

/** The most bodies longer than one piece in memory at once, over all accounts. */
const bodiesAtOnce = 2;

export class LeasedPollers {
  readonly #parts: GmailPollersOptions;
  readonly #times: GmailTimes;
  readonly #onEnd: () => void;
  readonly #bodies = createSemaphore(bodiesAtOnce);
  readonly #running = new Map<number, Running>();

  /** @param onEnd called when a poller ended by itself, so that its account is checked */
  constructor(parts: GmailPollersOptions, times: GmailTimes, onEnd: () => void) {
    this.#parts = parts;
    this.#times = times;
    this.#onEnd = onEnd;
  }

  /** Ends pollers whose account was changed or removed, and drops those that ended by themselves. */
  async endOthers(accounts: readonly GmailAccount[]): Promise<void> {
    for (const [id, one] of this.#running) {
      const account = accounts.find((other) => other.id === id);
      const isWanted = account?.isActive === true && account.revision === one.revision;
      if (isWanted && !one.poller.isStopped()) continue;
      one.poller.stop();
      await one.poller.done;
      this.#running.delete(id);
      await this.#parts.leases.releaseLease(one.lease);
    }
  }

  /** Starts the account's poller if its lease is free, or renews the lease. */
  async keep(account: GmailAccount): Promise<void> {
    const one = this.#running.get(account.id);
    if (one) await this.#renew(one);
    // A refused login is not retried until the operator changes something.
    else if (account.isActive && account.health !== 'refused') await this.#start(account);
  }

  /** A lease that was not renewed in time may belong to another process by now. */
  stopOverdue(): void {
    const now = performance.now();
    for (const { poller, renewedAt } of this.#running.values()) {
      if (now - renewedAt >= this.#times.leaseMs) poller.stop();
    }
  }

  async close(): Promise<void> {
    for (const { poller } of this.#running.values()) poller.stop();
    for (const { poller, lease } of this.#running.values()) {
      await poller.done;
      await this.#parts.leases.releaseLease(lease).catch((error: unknown) => {
        this.#parts.log.warn('gmail.lease_not_released', { error });
      });
    }
  }

  async #start(account: GmailAccount): Promise<void> {
    const renewedAt = performance.now();
    const { leases, holder } = this.#parts;
    const lease = await leases.takeLease(`gmail:${account.id}`, holder, this.#times.leaseMs);
    if (!lease) return;
    const shared = { parts: this.#parts, times: this.#times, bodies: this.#bodies };
    const poller = startAccountPoller({ account, lease, ...shared });
    this.#running.set(account.id, { lease, revision: account.revision, poller, renewedAt });
    void poller.done.then(this.#onEnd);
  }

  /** Renews early enough, but not so often that an idle service keeps writing. */
  async #renew(one: Running): Promise<void> {
    const renewedAt = performance.now();
    if (renewedAt - one.renewedAt < this.#times.leaseMs / 3) return;
    const { leases, holder } = this.#parts;
    const lease = await leases.takeLease(one.lease.name, holder, this.#times.leaseMs);
    if (lease?.epoch === one.lease.epoch) one.renewedAt = renewedAt;
    else one.poller.stop();
  }
}
