// A limited quantity (connections, bytes, places in a queue) shared among users, each of whom may hold only a part. In
// memory, for one node; nothing is ever searched. A claim names its shares, such as the session, network and site it is
// for, and is held until released.

export interface Allotment {
  readonly key: string;
  /** The most that all claims of this key may hold; a first claim always fits. */
  readonly max: number;
}

export type Claim =
  | { readonly isHeld: true; readonly release: () => void }
  /** `spent`: the exhausted share; undefined for the total. */
  | { readonly isHeld: false; readonly spent: Allotment | undefined };

export class SharedBudget {
  readonly #total: number;
  readonly #byKey = new Map<string, number>();
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get used(): number {
    return this.#used;
  }

  /** Returns what claims of the key hold. */
  usedBy(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  claim(shares: readonly Allotment[], amount = 1): Claim {
    for (const share of shares) {
      if (!fits(this.usedBy(share.key), amount, share.max)) return { isHeld: false, spent: share };
    }
    if (!fits(this.#used, amount, this.#total)) return { isHeld: false, spent: undefined };
    this.#add(shares, amount);
    let isHeld = true;
    return {
      isHeld: true,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#add(shares, -amount);
      },
    };
  }

  #add(shares: readonly Allotment[], amount: number): void {
    this.#used += amount;
    for (const { key } of shares) {
      const used = this.usedBy(key) + amount;
      if (used === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, used);
    }
  }
}

function fits(used: number, amount: number, max: number): boolean {
  return used === 0 || used + amount <= max;
}
