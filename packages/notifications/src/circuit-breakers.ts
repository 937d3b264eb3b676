// Keeps dead and slow endpoints from using up the places of others: after several failures in a row nothing is sent to
// an endpoint for a while, then a single try decides. Also limits concurrent sends to one endpoint.

const failuresToOpen = 5;
const firstPauseMs = 10_000;
const longestPauseMs = 5 * 60_000;
const atOnce = 8;
/** A circuit unused for this long after its pause starts afresh. */
const idleMs = 60 * 60_000;

interface Circuit {
  inFlight: number;
  failures: number;
  pauseMs: number;
  /** By the given clock; 0 while closed. */
  openUntil: number;
  usedAt: number;
}

const closed = { failures: 0, pauseMs: 0, openUntil: 0, usedAt: 0 };

export class CircuitBreakers {
  readonly #circuits = new Map<number, Circuit>();
  readonly #now: () => number;

  /** `now`: a monotonic clock in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns false when nothing may be sent to the endpoint now; otherwise it counts as in flight until `end`. */
  begin(endpointId: number): boolean {
    const circuit = this.#circuits.get(endpointId) ?? { ...closed, inFlight: 0 };
    if (!this.#hasRoom(circuit)) return false;
    circuit.inFlight += 1;
    this.#circuits.set(endpointId, circuit);
    return true;
  }

  /** Returns how long the endpoint is paused; 0 while it is not. */
  end(endpointId: number, isGood: boolean): number {
    const circuit = this.#circuits.get(endpointId);
    if (!circuit) return 0;
    circuit.inFlight -= 1;
    if (isGood) Object.assign(circuit, closed);
    else this.#fail(circuit);
    circuit.usedAt = this.#now();
    if (circuit.inFlight === 0 && circuit.failures === 0) this.#circuits.delete(endpointId);
    return Math.max(0, circuit.openUntil - this.#now());
  }

  /** Returns how many more may be sent to the endpoint now. */
  room(endpointId: number): number {
    const circuit = this.#circuits.get(endpointId);
    if (!circuit) return atOnce;
    if (!this.#hasRoom(circuit)) return 0;
    return circuit.openUntil === 0 ? atOnce - circuit.inFlight : 1;
  }

  /** Drops the state of unused endpoints, most of which are gone for good. */
  forgetIdle(): void {
    for (const [id, { inFlight, openUntil, usedAt }] of this.#circuits) {
      const idleSince = Math.max(openUntil, usedAt);
      if (inFlight === 0 && this.#now() - idleSince > idleMs) this.#circuits.delete(id);
    }
  }

  #fail(circuit: Circuit): void {
    circuit.failures += 1;
    // Only the first of several in flight when it opened extends the pause.
    if (circuit.failures < failuresToOpen || circuit.openUntil > this.#now()) return;
    circuit.pauseMs = Math.min(circuit.pauseMs * 2 || firstPauseMs, longestPauseMs);
    circuit.openUntil = this.#now() + circuit.pauseMs;
  }

  #hasRoom({ inFlight, openUntil }: Circuit): boolean {
    if (openUntil === 0) return inFlight < atOnce;
    return openUntil <= this.#now() && inFlight === 0;
  }
}
