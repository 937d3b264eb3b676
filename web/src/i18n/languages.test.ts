// Checks that every language has all the English texts, with their placeholders and the plural forms that it needs.
import { describe, expect, it } from 'vitest';

import { detectLanguage, toLocale } from './detect-language.ts';
import { en as first } from './en.ts';
import { english, languages } from './languages.ts';
import { more } from './more/en.ts';
import type { Plural } from './plural.ts';

type Entries = Readonly<Record<string, string | Plural>>;

const en = { ...first, ...more };

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();
}

function formsOf(entry: string | Plural): string[] {
  return typeof entry === 'string' ? [entry] : Object.values(entry);
}

it('offers ten languages, each with a code, a name and a direction of its own script', () => {
  expect(languages.map(({ code }) => code).toSorted()).toEqual([
    'ar',
    'de',
    'en',
    'es',
    'fr',
    'hi',
    'ja',
    'pt',
    'ru',
    'zh',
  ]);
  expect(languages.filter(({ direction }) => direction === 'rtl').map(({ code }) => code)).toEqual(['ar']);
});

describe.each(
  languages.map(({ code, load, loadMore }) => ({
    code,
    load: async () => ({ ...(await load()), ...(await loadMore()) }),
  })),
)('$code', ({ code, load }) => {
  it('has exactly the keys of English, none empty', async () => {
    const messages: Entries = await load();
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(en).toSorted());
    const empty = Object.entries(messages).filter(([, entry]) =>
      formsOf(entry).some((form) => form.trim() === ''),
    );
    expect(empty).toEqual([]);
  });

  it('takes the same values as English', async () => {
    const messages: Entries = await load();
    for (const [key, entry] of Object.entries<string | Plural>(en)) {
      const wanted = namesIn(typeof entry === 'string' ? entry : entry.other);
      for (const form of formsOf(messages[key]!)) {
        // A form for a single number may spell it out.
        const isSpelled = typeof entry !== 'string' && !form.includes('{n}');
        const expected = isSpelled ? wanted.filter((name) => name !== 'n') : wanted;
        expect([key, namesIn(form)]).toEqual([key, expected]);
      }
    }
  });

  it('has each plural form that its language distinguishes, and no other', async () => {
    const messages: Entries = await load();
    const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories.toSorted();
    const plurals = Object.entries(messages).filter(([, entry]) => typeof entry !== 'string');
    expect(plurals.length).toBeGreaterThan(3);
    for (const [key, forms] of plurals) {
      expect([key, Object.keys(forms).toSorted()]).toEqual([key, categories]);
    }
  });

  it('is not English under another name', async () => {
    const messages: Entries = await load();
    const same = Object.entries(en).filter(
      ([key, text]) => typeof text === 'string' && messages[key] === text,
    );
    expect(same.length).toBeLessThan(code === 'en' ? Infinity : 30);
  });
});

it('speaks English with one voice: contractions, and typographic marks', () => {
  const formal =
    /\b(?:can ?not|(?:could|do|does|did|is|are|was|were|will|would|has|have|should) not)\b|[a-z]'[a-z]/i;
  const found = Object.entries(en).filter(([, text]) => formsOf(text).some((form) => formal.test(form)));
  expect(found).toEqual([]);
});

describe('the language of a first visit', () => {
  it('is the one chosen before, else the first of the browser that there is, else English', () => {
    expect(detectLanguage('ru', ['de-AT']).code).toBe('ru');
    expect(detectLanguage(null, ['nl-NL', 'zh-Hant-TW', 'en']).code).toBe('zh');
    expect(detectLanguage(null, ['PT_br']).code).toBe('pt');
    expect(detectLanguage('xx', ['fr-CA']).code).toBe('fr');
    expect(detectLanguage(null, ['nl', 'sv'])).toBe(english);
    expect(detectLanguage(null, [])).toBe(english);
  });

  it('has the dates and numbers of the reader’s own region', () => {
    expect(toLocale(english, ['de-DE', 'en-GB'])).toBe('en-GB');
    expect(toLocale(english, ['de-DE'])).toBe('en');
  });
});
