// Converts the interface's JSON to the types of this package: names to camelCase, timestamps to dates.

import { timestampNames } from './models.ts';

/** Returns a copy with converted names and timestamps; texts stay as they are. */
export function toModel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toModel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      timestampNames.has(name) && typeof item === 'string' ? toDate(item) : toModel(item),
    ]),
  );
}

/** @param text `YYYY-MM-DD HH:MM:SS`, UTC */
export function toDate(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`);
}
