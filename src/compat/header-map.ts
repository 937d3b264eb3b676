// Header fields as Go's programs have them: a map from canonical name to values, in order.

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

/** `message-id` and `MESSAGE-ID` are `Message-Id`. */
function toCanonicalName(name: string): string {
  return name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}
