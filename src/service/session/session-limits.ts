// The operator's limits of sessions, as the services need them. Passed in by app.ts.

export interface SessionLimits {
  readonly lifetimeDefaultSeconds: number;
  readonly lifetimeMinSeconds: number;
  readonly lifetimeMaxSeconds: number;
  readonly totalMaxSeconds: number;
  /** How long a Gmail alias stays in quarantine after its session; domains have their own value. */
  readonly quarantineSeconds: number;
  /** Whether sessions are created only with an API key. */
  readonly isKeyRequired: boolean;
  /** Infinity for no limit. */
  readonly sessionMessages: number;
  readonly sessionBytes: number;
}
