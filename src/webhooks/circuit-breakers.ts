// Keeps a dead or slow endpoint from taking the places of the living: after some failures in a row nothing is sent to it
// for a while, then one try decides. Also bounds what is sent to one endpoint at once. Owned by the dispatcher.

const failuresToOpen = 5;
const firstPauseMs = 10_000;
const longestPauseMs = 5 * 60_000;
const atOnce = 8;
/** A circuit that was not used for so long after its pause is as good as new. */
const idleMs = 60 * 60_000;

interface Circuit {
  inFlight: number;
  failures: number;
  pauseMs: number;
  /** On the clock given; 0 while closed. */
  openUntil: number;
  usedAt: number;
}

const closed = { failures: 0, pauseMs: 0, openUntil: 0, usedAt: 0 };

export class CircuitBreakers {
  readonly #circuits = new Map<number, Circuit>();
  readonly #now: () => number;

  /** `now`: a clock in ms that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False when nothing may be sent to the endpoint now; else it counts as in flight until `end`. */
  begin(endpointId: number): boolean {
    const circuit = this.#circuits.get(endpointId) ?? { ...closed, inFlight: 0 };
    if (!this.#hasRoom(circuit)) return false;
    circuit.inFlight += 1;
    this.#circuits.set(endpointId, circuit);
    return true;
  }

  /** Returns how long nothing more is sent to the endpoint; 0 while it may be. */
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

  /** How many more may be sent to the endpoint now. */
  room(endpointId: number): number {
    const circuit = this.#circuits.get(endpointId);
    if (!circuit) return atOnce;
    if (!this.#hasRoom(circuit)) return 0;
    return circuit.openUntil === 0 ? atOnce - circuit.inFlight : 1;
  }

  /** Drops what is known of endpoints that are no longer used; most of them are gone for good. */
  forgetIdle(): void {
    for (const [id, { inFlight, openUntil, usedAt }] of this.#circuits) {
      const idleSince = Math.max(openUntil, usedAt);
      if (inFlight === 0 && this.#now() - idleSince > idleMs) this.#circuits.delete(id);
    }
  }

  #fail(circuit: Circuit): void {
    circuit.failures += 1;
    // Of many in flight when it opened, only the first lengthens the pause.
    if (circuit.failures < failuresToOpen || circuit.openUntil > this.#now()) return;
    circuit.pauseMs = Math.min(circuit.pauseMs * 2 || firstPauseMs, longestPauseMs);
    circuit.openUntil = this.#now() + circuit.pauseMs;
  }

  #hasRoom({ inFlight, openUntil }: Circuit): boolean {
    if (openUntil === 0) return inFlight < atOnce;
    return openUntil <= this.#now() && inFlight === 0;
  }
}
