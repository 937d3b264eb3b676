// Counts the connections and the bytes of incomplete messages that each network holds. Kept by admission.ts, once per
// network and once per site.

export interface Holding {
  readonly key: string;
  connections: number;
  bytes: number;
}

/** The holdings that a connection counts against: of its network, and of the larger site that contains it. */
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
