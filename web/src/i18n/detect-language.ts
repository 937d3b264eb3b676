// Which of our languages a reader is shown first. Called at the start; reads nothing by itself.

import { english, type Language, languages } from './languages.ts';

/** The one chosen before, else the first that the browser's settings name and we have, else English. */
export function detectLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = chosen === null ? preferred : [chosen, ...preferred];
  for (const tag of wanted) {
    const base = tag.toLowerCase().split(/[-_]/, 1)[0];
    const found = languages.find(({ code }) => code === base);
    if (found) return found;
  }
  return english;
}

/** For dates and numbers: the reader's own region where the browser names one of that language. */
export function toLocale({ code }: Language, preferred: readonly string[]): string {
  const tag = preferred.find((one) => one.toLowerCase().split('-', 1)[0] === code) ?? code;
  const { numberingSystem } = new Intl.NumberFormat(tag).resolvedOptions();
  // Codes, addresses and countdowns have these digits: one page, one kind.
  return numberingSystem === 'latn' ? tag : new Intl.Locale(tag, { numberingSystem: 'latn' }).toString();
}
