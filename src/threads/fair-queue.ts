// Orders the work that waits for shared threads so that no session or network can dominate: the network with the least
// recent use comes first, within it the session with the least, within that the oldest. A full queue drops work of its
// largest user. Has no timers and starts nothing; fair-lane does.

/** The session and network that work is done for. */
export interface TurnOwner {
  readonly session: string;
  /** The network as limits count it; the session again when unknown. */
  readonly network: string;
}

export interface FairQueueOptions {
  /** The most in progress for one session. */
  readonly perSession: number;
  /** The most in progress for one network. */
  readonly perNetwork: number;
  /** The most that may wait. */
  readonly maxWaiting: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

interface Share<T> {
  readonly owner: TurnOwner;
  readonly items: T[];
}

export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  /** By session and network, none empty. */
  readonly #shares = new Map<string, Share<T>>();
  readonly #running = { session: new Counts(), network: new Counts() };
  readonly #spent: { readonly session: SpentTime; readonly network: SpentTime };
  #size = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    const now = options.now ?? (() => performance.now());
    this.#spent = { session: new SpentTime(now), network: new SpentTime(now) };
  }

  get size(): number {
    return this.#size;
  }

  /** Returns what must be dropped when the queue is full, possibly `item` itself. */
  add(owner: TurnOwner, item: T): T | undefined {
    const name = toName(owner);
    const share = this.#shares.get(name) ?? { owner, items: [] };
    share.items.push(item);
    this.#shares.set(name, share);
    this.#size += 1;
    return this.#size > this.#options.maxWaiting ? this.#dropNewest() : undefined;
  }

  /** Puts back a taken item, ahead of its owner's other work. */
  putBack(owner: TurnOwner, item: T): void {
    const name = toName(owner);
    const share = this.#shares.get(name) ?? { owner, items: [] };
    share.items.unshift(item);
    this.#shares.set(name, share);
    this.#size += 1;
  }

  /** Takes the next one whose owner is within its limits. It counts as in progress until `leave`. */
  take(): { readonly owner: TurnOwner; readonly item: T } | undefined {
    const share = this.#findNext();
    const item = share?.items.shift();
    if (share === undefined || item === undefined) return undefined;
    // An owner that has had a turn goes behind those already waiting.
    this.#shares.delete(toName(share.owner));
    if (share.items.length > 0) this.#shares.set(toName(share.owner), share);
    this.#size -= 1;
    this.#running.session.add(share.owner.session, 1);
    this.#running.network.add(share.owner.network, 1);
    return { owner: share.owner, item };
  }

  /** `ms`: the time that the work took of the shared thread. */
  leave({ session, network }: TurnOwner, ms: number): void {
    this.#running.session.add(session, -1);
    this.#running.network.add(network, -1);
    this.#spent.session.add(session, ms);
    this.#spent.network.add(network, ms);
  }

  has(owner: TurnOwner, item: T): boolean {
    return this.#shares.get(toName(owner))?.items.includes(item) ?? false;
  }

  /** Removes a waiting item; returns false when it is not waiting. */
  remove(owner: TurnOwner, item: T): boolean {
    const share = this.#shares.get(toName(owner));
    const at = share?.items.indexOf(item) ?? -1;
    if (share === undefined || at < 0) return false;
    share.items.splice(at, 1);
    this.#tidy(share);
    this.#size -= 1;
    return true;
  }

  /** Removes everything. */
  drain(): T[] {
    const all = [...this.#shares.values()].flatMap(({ items }) => items);
    this.#shares.clear();
    this.#size = 0;
    return all;
  }

  #findNext(): Share<T> | undefined {
    let best: { share: Share<T>; network: number; session: number } | undefined;
    for (const share of this.#shares.values()) {
      const { session, network } = share.owner;
      if (this.#running.session.of(session) >= this.#options.perSession) continue;
      if (this.#running.network.of(network) >= this.#options.perNetwork) continue;
      const ofNetwork = this.#spent.network.of(network);
      if (best !== undefined && ofNetwork > best.network) continue;
      const ofSession = this.#spent.session.of(session);
      if (best === undefined || ofNetwork < best.network || ofSession < best.session) {
        best = { share, network: ofNetwork, session: ofSession };
      }
    }
    return best?.share;
  }

  /** Drops from the longest share of the network with the most waiting; among equals from the newest. */
  #dropNewest(): T | undefined {
    const waiting = new Counts();
    for (const { owner, items } of this.#shares.values()) waiting.add(owner.network, items.length);
    const isLonger = (a: Share<T>, b: Share<T>): boolean => {
      const more = waiting.of(a.owner.network) - waiting.of(b.owner.network);
      return more > 0 || (more === 0 && a.items.length >= b.items.length);
    };
    const longest = [...this.#shares.values()].reduce((best, one) => (isLonger(one, best) ? one : best));
    const item = longest.items.pop();
    this.#tidy(longest);
    this.#size -= 1;
    return item;
  }

  #tidy(share: Share<T>): void {
    if (share.items.length === 0) this.#shares.delete(toName(share.owner));
  }
}

function toName({ session, network }: TurnOwner): string {
  return `${network} ${session}`;
}

class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, change: number): void {
    const count = this.of(name) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

/** Recent use decays by half in this time. */
const halfLifeMs = 10_000;
/** Less recent use than this is dropped: the remainder of a second after two minutes. */
const forgottenMs = 0.25;
const knownMax = 1000;

/** Recent use by name. */
class SpentTime {
  readonly #now: () => number;
  readonly #spent = new Map<string, { ms: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  of(name: string): number {
    const known = this.#spent.get(name);
    const ms = known === undefined ? 0 : known.ms * 2 ** ((known.at - this.#now()) / halfLifeMs);
    return ms < forgottenMs ? 0 : ms;
  }

  add(name: string, ms: number): void {
    const spent = this.of(name) + ms;
    this.#spent.delete(name);
    this.#spent.set(name, { ms: spent, at: this.#now() });
    // Not at each turn, because it visits all of them.
    if (this.#spent.size > 2 * knownMax) this.#forget();
  }

  #forget(): void {
    for (const name of this.#spent.keys()) if (this.of(name) === 0) this.#spent.delete(name);
    // In order of their last turn.
    for (const name of this.#spent.keys()) {
      if (this.#spent.size <= knownMax) break;
      this.#spent.delete(name);
    }
  }
}
