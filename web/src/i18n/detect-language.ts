// Decides which language a reader sees first. Called at the start; pure.

import { english, type Language, languages } from './languages.ts';

/** Returns the language chosen before, else the first of the browser's that is available, else English. */
export function detectLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = chosen === null ? preferred : [chosen, ...preferred];
  for (const tag of wanted) {
    const base = tag.toLowerCase().split(/[-_]/, 1)[0];
    const found = languages.find(({ code }) => code === base);
    if (found) return found;
  }
  return english;
}

/** Returns the locale for dates and numbers, with the reader's region where the browser names one. */
export function toLocale({ code }: Language, preferred: readonly string[]): string {
  const tag = preferred.find((one) => one.toLowerCase().split('-', 1)[0] === code) ?? code;
  const { numberingSystem } = new Intl.NumberFormat(tag).resolvedOptions();
  // Codes, addresses and countdowns have Latin digits: one page, one kind of digit.
  return numberingSystem === 'latn' ? tag : new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}
