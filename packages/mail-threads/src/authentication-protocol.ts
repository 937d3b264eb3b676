// Plain data that the main thread passes to the authentication worker besides requests, by structured clone.

/** Passed to the worker when it starts. */
export interface AuthenticationWorkerData {
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}
