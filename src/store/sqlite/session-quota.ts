// How much a session may hold, which the commit of a delivery checks.

export interface SessionQuota {
  /** Infinity for none. */
  readonly messages: number;
  readonly bytes: number;
}
