// Orders the work that waits for shared threads so that no session or network can dominate: the site (a /24 or /48)
// with the least recent use comes first, within it the network with the least, then the session, within that the
// oldest. A full queue drops work of its largest user. Has no timers and starts nothing.

import { toWideNetwork } from './client-network.ts';

/** The session and network that work is done for. */
export interface TurnOwner {
  readonly session: string;
  /** The network as limits count it; the session again when unknown. */
  readonly network: string;
  /** Aborts when no caller wants the result any more; a task that waits is then never started. */
  readonly signal?: AbortSignal | undefined;
}

export interface FairQueueOptions {
  /** The most in progress for one session. */
  readonly perSession: number;
  /** The most in progress for one network. */
  readonly perNetwork: number;
  /** The most in progress for one site, since a single customer may own all its networks. */
  readonly perSite: number;
  /** The most that may wait. */
  readonly waitingMax: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

/** From the widest to the narrowest. */
const levels = ['site', 'network', 'session'] as const;

type Shareholder = Readonly<Record<(typeof levels)[number], string>>;

interface HolderQueue<T> {
  readonly owner: TurnOwner;
  readonly holder: Shareholder;
  readonly items: T[];
}

export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  /** By session and network, none empty. */
  readonly #shares = new Map<string, HolderQueue<T>>();
  readonly #running = { site: new Counts(), network: new Counts(), session: new Counts() };
  readonly #spent: Readonly<Record<(typeof levels)[number], SpentTime>>;
  #size = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    const now = options.now ?? (() => performance.now());
    this.#spent = { site: new SpentTime(now), network: new SpentTime(now), session: new SpentTime(now) };
  }

  get size(): number {
    return this.#size;
  }

  /** Returns what must be dropped when the queue is full, possibly `item` itself. */
  add(owner: TurnOwner, item: T): T | undefined {
    this.#shareOf(owner).items.push(item);
    this.#size += 1;
    return this.#size > this.#options.waitingMax ? this.#dropNewest() : undefined;
  }

  /** Puts back a taken item, ahead of its owner's other work. */
  putBack(owner: TurnOwner, item: T): void {
    this.#shareOf(owner).items.unshift(item);
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
    for (const level of levels) this.#running[level].add(share.holder[level], 1);
    return { owner: share.owner, item };
  }

  /** `ms`: the time that the work took of the shared thread. */
  leave(owner: TurnOwner, ms: number): void {
    const holder = toShareholder(owner);
    for (const level of levels) {
      this.#running[level].add(holder[level], -1);
      this.#spent[level].add(holder[level], ms);
    }
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

  #shareOf(owner: TurnOwner): HolderQueue<T> {
    const name = toName(owner);
    const share = this.#shares.get(name) ?? { owner, holder: toShareholder(owner), items: [] };
    this.#shares.set(name, share);
    return share;
  }

  #findNext(): HolderQueue<T> | undefined {
    const { perSite, perNetwork, perSession } = this.#options;
    const most = { site: perSite, network: perNetwork, session: perSession };
    let best: { share: HolderQueue<T>; spent: readonly number[] } | undefined;
    // Most sites have a single share, so the others' use is seldom looked up.
    for (const share of this.#shares.values()) {
      const { holder } = share;
      if (levels.some((level) => this.#running[level].of(holder[level]) >= most[level])) continue;
      const ofSite = this.#spent.site.of(holder.site);
      if (best !== undefined && ofSite > (best.spent[0] ?? 0)) continue;
      const spent = [ofSite, this.#spent.network.of(holder.network), this.#spent.session.of(holder.session)];
      if (best === undefined || isLess(spent, best.spent)) best = { share, spent };
    }
    return best?.share;
  }

  /** Drops from the longest share of the network with the most waiting, in the site with the most; the newest. */
  #dropNewest(): T | undefined {
    const waiting = { site: new Counts(), network: new Counts() };
    for (const { holder, items } of this.#shares.values()) {
      waiting.site.add(holder.site, items.length);
      waiting.network.add(holder.network, items.length);
    }
    const weigh = ({ holder, items }: HolderQueue<T>): number[] => [
      waiting.site.of(holder.site),
      waiting.network.of(holder.network),
      items.length,
    ];
    const longest = [...this.#shares.values()].reduce((best, one) =>
      isLess(weigh(one), weigh(best)) ? best : one,
    );
    const item = longest.items.pop();
    this.#tidy(longest);
    this.#size -= 1;
    return item;
  }

  #tidy(share: HolderQueue<T>): void {
    if (share.items.length === 0) this.#shares.delete(toName(share.owner));
  }
}

function toName({ session, network }: TurnOwner): string {
  return `${network} ${session}`;
}

function toShareholder({ session, network }: TurnOwner): Shareholder {
  return { session, network, site: toWideNetwork(network) };
}

/** Compares the first numbers that differ. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((number, index) => number !== other[index]);
  return (one[at] ?? 0) < (other[at] ?? 0);
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
    const ms = this.#remainderOf(name);
    return ms < forgottenMs ? 0 : ms;
  }

  /** Use too short to count by itself adds up. */
  add(name: string, ms: number): void {
    const spent = this.#remainderOf(name) + ms;
    this.#spent.delete(name);
    this.#spent.set(name, { ms: spent, at: this.#now() });
    // Not at each turn, because it visits all of them.
    if (this.#spent.size > 2 * knownMax) this.#forget();
  }

  #remainderOf(name: string): number {
    const known = this.#spent.get(name);
    return known === undefined ? 0 : known.ms * 2 ** ((known.at - this.#now()) / halfLifeMs);
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
