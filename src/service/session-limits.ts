// The bounds of sessions that the operator sets, as the services need them. Handed in by app.ts.

export interface SessionLimits {
  readonly lifetimeDefaultSeconds: number;
  readonly lifetimeMinSeconds: number;
  readonly lifetimeMaxSeconds: number;
  readonly totalMaxSeconds: number;
  /** How long a Gmail alias rests after its session; a domain has a value of its own. */
  readonly quarantineSeconds: number;
  /** Infinity for none. */
  readonly sessionMessages: number;
  readonly sessionBytes: number;
}
