// How long, and since when, an inbox waits.

/** Milliseconds for which the service is asked to hold back one answer. */
export const longestPoll = 30_000;
/** Milliseconds after the end of the wait in which the service may still answer. */
export const lastAnswer = 5000;

export interface WaitOptions {
  /** Milliseconds; by default the `timeout` of `new Mayfly`, which is 30,000 by default. */
  readonly timeout?: number;
  /** Id of a message; only later messages count. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** Treats options that are undefined as absent. */
export function toWaitOptions({
  timeout,
  after,
  signal,
}: {
  readonly [Name in keyof WaitOptions]: WaitOptions[Name] | undefined;
}): WaitOptions {
  return {
    ...(timeout === undefined ? {} : { timeout }),
    ...(after === undefined ? {} : { after }),
    ...(signal === undefined ? {} : { signal }),
  };
}
