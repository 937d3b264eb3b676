// The search of entries: those that have all of the words, in whatever they say.

import type { AuditEntry } from './entry.ts';

const wordsMax = 10;

/** In any case; none finds everything. */
export function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/** The time is searched as `2026-11-26 10:15:00`, so that a day is a word. */
export function matches(entry: AuditEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { actor, action, target, outcome, detail, at } = entry;
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const text = [time, actor.kind, actor.name, action, target, outcome, detail].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
