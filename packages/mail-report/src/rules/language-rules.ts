// Rules about language and direction, which screen readers, hyphenation and right-to-left text depend on.

import type { HtmlElement } from '../document/html-document.ts';
import { readVisibleText } from '../document/visible-text.ts';
import { inMessage, type Rated } from '../findings.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

const missing: Rated = {
  rule: 'language/missing',
  severity: 'warning',
  advice: 'Write the language at the root: `<html lang="en">`.',
};
const invalid: Rated = {
  rule: 'language/invalid',
  severity: 'warning',
  advice: 'Write a language tag such as `en`, `de-AT` or `zh-Hant` (RFC 5646).',
};
const mismatch: Rated = {
  rule: 'language/mismatch',
  severity: 'warning',
  advice: 'Write the language that the text is in.',
};
const noDirection: Rated = {
  rule: 'direction/missing',
  severity: 'warning',
  advice: 'Write `dir="rtl"` at the element that holds the text: mail programs do not guess it.',
};
const noTitle: Rated = {
  rule: 'language/no-title',
  severity: 'info',
  advice: 'Write a `<title>`: screen readers and “view in browser” pages show it.',
};

const languageTag = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,5}$/i;

/** Scripts that tell languages apart, with the languages written in them. */
const scripts = [
  { name: 'Arabic', letters: /\p{Script=Arabic}/gu, languages: 'ar fa ur ps ckb sd ug ku az', isRtl: true },
  { name: 'Hebrew', letters: /\p{Script=Hebrew}/gu, languages: 'he iw yi', isRtl: true },
  {
    name: 'Cyrillic',
    letters: /\p{Script=Cyrillic}/gu,
    languages: 'ru uk be bg sr mk kk ky mn tg uz tt',
    isRtl: false,
  },
  { name: 'Greek', letters: /\p{Script=Greek}/gu, languages: 'el', isRtl: false },
  { name: 'Han', letters: /\p{Script=Han}/gu, languages: 'zh ja yue ko', isRtl: false },
  { name: 'Japanese', letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, languages: 'ja', isRtl: false },
  { name: 'Hangul', letters: /\p{Script=Hangul}/gu, languages: 'ko', isRtl: false },
  { name: 'Thai', letters: /\p{Script=Thai}/gu, languages: 'th', isRtl: false },
  { name: 'Devanagari', letters: /\p{Script=Devanagari}/gu, languages: 'hi mr ne sa kok', isRtl: false },
  {
    name: 'Latin',
    letters: /\p{Script=Latin}/gu,
    languages: 'sr uz az ku mn',
    isRtl: false,
    // All languages that no other script has.
    isDefault: true,
  },
] as const;
/** Fewer letters say little. */
const leastLetters = 40;
const charsMax = 20_000;

export interface Language {
  readonly lang: string | null;
  readonly dir: string | null;
}

export function checkLanguage(subject: HtmlSubject): Language {
  const { document, findings } = subject;
  const root = document.elements.find(({ name }) => name === 'html');
  const body = document.elements.find(({ name }) => name === 'body');
  const holder = [root, body].find((element) => element?.attributes.has('lang') === true);
  const lang = holder?.attributes.get('lang')?.trim() ?? null;
  if (lang === null || lang === '') {
    findings.add(missing, 'The HTML does not say its language.', toPlace(subject, root));
  } else if (!languageTag.test(lang) && holder !== undefined) {
    findings.add(invalid, `“${lang.slice(0, 40)}” is not a language tag.`, placeOf(subject, holder, 'lang'));
  }
  const written = readScript(readVisibleText(document).join(' ').slice(0, charsMax));
  if (written !== undefined) {
    if (lang !== null && holder !== undefined && languageTag.test(lang) && !mayBe(written, lang)) {
      findings.add(
        mismatch,
        `The HTML says ${lang}, but is in ${written.name} script.`,
        placeOf(subject, holder, 'lang'),
      );
    }
    const isSet = document.elements.some(
      ({ attributes }) =>
        attributes.get('dir')?.toLowerCase() === 'rtl' ||
        /direction\s?:\s?rtl/i.test(attributes.get('style') ?? ''),
    );
    if (written.isRtl && !isSet) {
      findings.add(
        noDirection,
        `The text is in ${written.name} script and not set right to left.`,
        toPlace(subject, body),
      );
    }
  }
  const title = document.elements.find(({ name }) => name === 'title');
  if (title === undefined || title.text.trim() === '') {
    findings.add(noTitle, 'The HTML has no title.', toPlace(subject, title ?? root));
  }
  return {
    lang,
    dir: [root, body].map((one) => one?.attributes.get('dir')).find((one) => one !== undefined) ?? null,
  };
}

function toPlace(subject: HtmlSubject, element: HtmlElement | undefined) {
  return element === undefined ? inMessage() : placeOf(subject, element);
}

type Script = (typeof scripts)[number];

/** The script of more than two thirds of all letters. */
function readScript(text: string): Script | undefined {
  const counts = scripts.map((script) => ({ script, count: text.match(script.letters)?.length ?? 0 }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total < leastLetters) return undefined;
  const kana = counts.find(({ script, count }) => script.name === 'Japanese' && count > total / 20);
  return kana?.script ?? counts.find(({ count }) => count > (2 * total) / 3)?.script;
}

function mayBe(script: Script, lang: string): boolean {
  const [base = '', second = ''] = lang.toLowerCase().split('-');
  // The tag itself says that the language is written otherwise, as in `sr-Latn`.
  if (second.length === 4) return true;
  if (script.languages.split(' ').includes(base)) return true;
  if (!('isDefault' in script)) return false;
  return !scripts.some((other) => other !== script && other.languages.split(' ').includes(base));
}
