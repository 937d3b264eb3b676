// Header fields in the form of Go's programs: a map from canonical name to values, in order.

import type { ParsedHeader } from '@mayfly/mail-reader';

export function toHeaderMap(headers: readonly ParsedHeader[]): Record<string, string[]> {
  const map = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const key = toCanonicalName(name);
    const values = map.get(key);
    if (values) values.push(value);
    else map.set(key, [value]);
  }
  return Object.fromEntries(map);
}

/** Converts `message-id` and `MESSAGE-ID` to `Message-Id`. */
function toCanonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
