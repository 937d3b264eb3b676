// What the main thread tells the authentication worker beside its requests; plain data, which crosses by structured clone.

/** Given to the worker when it starts. */
export interface AuthenticationWorkerData {
  readonly servers: readonly string[];
  readonly timeoutMs: number;
}
