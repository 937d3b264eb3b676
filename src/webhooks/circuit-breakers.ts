// Keeps a dead endpoint from taking the workers of the living: after some failures in a row nothing is sent to it for a
// while, then one try decides. Also bounds what is sent to one endpoint at once. Owned by the dispatcher.

const failuresToOpen = 5;
const firstPauseMs = 10_000;
const longestPauseMs = 5 * 60_000;
const atOnce = 8;

interface Circuit {
  inFlight: number;
  failures: number;
  pauseMs: number;
  /** On the clock given; 0 while closed. */
  openUntil: number;
}

export class CircuitBreakers {
  readonly #circuits = new Map<number, Circuit>();
  readonly #now: () => number;

  /** `now`: a clock in ms that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False when nothing may be sent to the endpoint now; else it counts as in flight until `end`. */
  begin(endpointId: number): boolean {
    const circuit = this.#circuits.get(endpointId) ?? { inFlight: 0, failures: 0, pauseMs: 0, openUntil: 0 };
    if (!this.#hasRoom(circuit)) return false;
    circuit.inFlight += 1;
    this.#circuits.set(endpointId, circuit);
    return true;
  }

  end(endpointId: number, isGood: boolean): void {
    const circuit = this.#circuits.get(endpointId);
    if (!circuit) return;
    circuit.inFlight -= 1;
    if (isGood) Object.assign(circuit, { failures: 0, pauseMs: 0, openUntil: 0 });
    else this.#fail(circuit);
    if (circuit.inFlight === 0 && circuit.failures === 0) this.#circuits.delete(endpointId);
  }

  /** Endpoints that `begin` would refuse. */
  listBlocked(): number[] {
    return [...this.#circuits].filter(([, circuit]) => !this.#hasRoom(circuit)).map(([id]) => id);
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
