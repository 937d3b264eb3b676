// What each network has of the listener at this moment: connections, and bytes of messages on their way in. Kept by
// admission.ts, once by network and once by site.

export interface Holding {
  readonly key: string;
  connections: number;
  bytes: number;
}

/** What a connection counts against: the network it comes from, and the site that has many of them. */
export interface PeerHoldings {
  readonly own: Holding;
  readonly site: Holding;
}

export class Holdings {
  readonly #of = new Map<string, Holding>();

  connectionsOf(key: string): number {
    return this.#of.get(key)?.connections ?? 0;
  }

  enter(key: string): void {
    this.get(key).connections += 1;
  }

  leave(key: string): void {
    const holding = this.get(key);
    holding.connections -= 1;
    if (holding.connections <= 0) this.#of.delete(key);
  }

  get(key: string): Holding {
    let holding = this.#of.get(key);
    if (!holding) {
      holding = { key, connections: 0, bytes: 0 };
      this.#of.set(key, holding);
    }
    return holding;
  }
}
