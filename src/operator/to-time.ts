// Formats instants for operators.

import { formatTimestamp } from '../domain/timestamp.ts';

/** Null for none. */
export function toTime(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : formatTimestamp(at);
}
