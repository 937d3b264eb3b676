// A store with very many sessions and messages and no service running on it: loaded directly into its tables, since
// SMTP would take hours. Its rows look like delivered mail, with meaningless bytes.

/** Messages in each loaded session. */
export const messagesEach = 5;
/** Raw bytes of each message; sealed they are a little more. */
export const messageBytes = 1024;
/** Every n-th session belongs to the part that ends together. */
export const endingEvery = 5;

export interface FilledStore {
  /** Loads sessions `g1@…` and up; those that end together begin with `e` instead. */
  load(sessions: number): Promise<void>;
  /** Sets the expiry of those that end together to `at`, ms since 1970. Returns their number. */
  endAt(at: number): Promise<number>;
  /** Counts sessions that expired before `at` and still have keys; while a service runs. */
  countUnended(at: number): Promise<number>;
  /** Counts their messages that are not yet reclaimed, once all have ended; while a service runs. */
  countUnreclaimed(): Promise<number>;
}

/** Returns the prefix of the n-th session, from 1. */
export function toFilledPrefix(index: number): string {
  return `${index % endingEvery === 0 ? 'e' : 'g'}${index}`;
}

/** The lifetime of the others: longer than any run. */
export const fillLifetimeMs = 6 * 86_400_000;
export const fillTotalMs = 7 * 86_400_000;
