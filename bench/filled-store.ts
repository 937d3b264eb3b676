// A store with very many sessions and messages, which no service is running on: loaded straight into its tables, since
// over SMTP it would take hours. What fills it looks as if it had been delivered; its bytes mean nothing to anybody.

/** Messages in each session that is loaded. */
export const messagesEach = 5;
/** Raw bytes of each; sealed they are a little more. */
export const messageBytes = 1024;
/** Every so manieth session belongs to the part that ends together. */
export const endingEvery = 5;

export interface FilledStore {
  /** Sessions `g1@…` on; those that end together begin with `e` instead. */
  load(sessions: number): Promise<void>;
  /** Lets those that end together be due at `at`, ms since 1970. Returns how many there are. */
  endAt(at: number): Promise<number>;
  /** Sessions whose time was over at `at` and whose keys are still there. While a service runs. */
  countUnended(at: number): Promise<number>;
  /** Messages of them that have not been reclaimed, once all have ended. While a service runs. */
  countUnreclaimed(): Promise<number>;
}

/** Prefix of the n-th session, from 1. */
export function toFilledPrefix(index: number): string {
  return `${index % endingEvery === 0 ? 'e' : 'g'}${index}`;
}

/** Until when the others live: longer than any run. */
export const fillLifetimeMs = 6 * 86_400_000;
export const fillTotalMs = 7 * 86_400_000;
