// Formats instants for operators.

import { formatTimestamp } from '#values/timestamp';

/** Null for none. */
export function toTime(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : formatTimestamp(at);
}
