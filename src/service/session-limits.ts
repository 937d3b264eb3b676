// The bounds of sessions that the operator sets, as the services need them. Handed in by app.ts.

export interface SessionLimits {
  readonly lifetimeDefaultSeconds: number;
  readonly lifetimeMinSeconds: number;
  readonly lifetimeMaxSeconds: number;
  readonly totalMaxSeconds: number;
  /** Infinity for none. */
  readonly sessionMessages: number;
  readonly sessionBytes: number;
}
