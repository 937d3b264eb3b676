// The interface's timestamp: UTC, `YYYY-MM-DD HH:MM:SS`. Used by every view; instants inside are milliseconds.

/** Formats an instant (ms since 1970, UTC) as `YYYY-MM-DD HH:MM:SS`, cutting fractions of a second. */
export function formatTimestamp(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Whole seconds from `nowMs` to `endsAtMs`, never negative. */
export function secondsLeft(endsAtMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((endsAtMs - nowMs) / 1000));
}
