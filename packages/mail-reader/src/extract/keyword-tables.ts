// The keywords of all languages, with their meanings and where they count, as search tables. Read by match-words. A
// bundle of the service contains them prebuilt in place of this file (scripts/packed-keywords.mjs).
import { cleanText, foldCase } from './fold-text.ts';
import { type StemLists, stems } from './model/stems.ts';
import { anyLanguage, languageBit, type Languages } from './tell-languages.ts';
import { tabulateWords, type Word, type WordTable } from './word-table.ts';
import { allLanguages } from './words/all-languages.ts';
import { moreLanguages } from './words/more-languages.ts';
import type { WordLists } from './words/word-lists.ts';

export interface Keyword {
  meaning: keyof WordLists;
  languages: Languages;
}

export interface KeywordTables {
  readonly code: WordTable<Keyword>;
  readonly link: WordTable<Keyword>;
  readonly stem: WordTable<keyof StemLists>;
}

const minLengthForPlainSpelling = 5;
const linkMeanings: ReadonlySet<keyof WordLists> = new Set([
  'verifyLink',
  'loginLink',
  'resetLink',
  'inviteLink',
  'unsubscribeLink',
  'helpLink',
]);

/** Names of codes are recognised in any language; other words count only in the message's own languages. */
const ofAnyLanguage: ReadonlySet<keyof WordLists> = new Set([
  'code',
  'weak',
  'pin',
  'password',
  'backup',
  'approval',
  'inSubject',
]);
/** Evidence against a code is often in English, whatever the language of the rest. */
const inEnglishToo: ReadonlySet<keyof WordLists> = new Set(['other', 'coupon', 'occasion', 'unit']);

/** Slow: call it once. */
export function loadKeywordTables(): KeywordTables {
  return {
    code: tabulateWords(collectWords((meaning) => !linkMeanings.has(meaning))),
    link: tabulateWords(collectWords((meaning) => linkMeanings.has(meaning))),
    stem: tabulateWords(collectStems()),
  };
}

function collectWords(wanted: (meaning: keyof WordLists) => boolean): Word<Keyword>[] {
  const words = new Map<string, Word<Keyword>>();
  for (const [name, lists] of Object.entries({ ...moreLanguages, ...allLanguages })) {
    for (const [meaning, list] of Object.entries(lists) as [keyof WordLists, string][]) {
      if (!wanted(meaning)) continue;
      const isEverywhere = ofAnyLanguage.has(meaning) || (name === 'en' && inEnglishToo.has(meaning));
      const languages = isEverywhere ? anyLanguage : languageBit(name);
      addList(words, { meaning, languages }, list);
    }
  }
  return [...words.values()];
}

function collectStems(): Word<keyof StemLists>[] {
  const words = new Map<string, Word<keyof StemLists>>();
  for (const [tag, list] of Object.entries(stems) as [keyof StemLists, string][]) {
    for (const entry of list.split(',')) {
      const raw = entry.trim();
      const text = foldCase(cleanText(raw.replaceAll('*', '')));
      if (text === '') continue;
      words.set(`${tag} ${raw}`, { text, openStart: raw.startsWith('*'), openEnd: raw.endsWith('*'), tag });
    }
  }
  return [...words.values()];
}

function addList(words: Map<string, Word<Keyword>>, { meaning, languages }: Keyword, list: string): void {
  for (const entry of list.split(/[,\n]/)) {
    const raw = entry.trim();
    const openStart = raw.startsWith('*');
    const openEnd = raw.endsWith('*');
    const text = foldCase(cleanText(raw.replaceAll('*', '')));
    if (text === '') continue;
    const plain = withoutAccents(text);
    const spellings = plain.length >= minLengthForPlainSpelling ? new Set([text, plain]) : [text];
    for (const spelling of spellings) {
      const key = `${meaning} ${entry.includes('*') ? raw : ''} ${spelling}`;
      const known = words.get(key)?.tag.languages ?? 0;
      const tag = { meaning, languages: known | languages };
      words.set(key, { text: spelling, openStart, openEnd, tag });
    }
  }
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('đ', 'd')
    .replaceAll('ł', 'l')
    .normalize('NFC');
}
