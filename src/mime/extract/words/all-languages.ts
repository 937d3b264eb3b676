// Every language whose keywords are known. A language is added by a file like its neighbours and a line here.
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { vi } from './vi.ts';
import type { WordLists } from './word-lists.ts';
import { zh } from './zh.ts';

export const ALL_LANGUAGES: Readonly<Record<string, WordLists>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  ru,
  uk,
  tr,
  ar,
  fa,
  hi,
  zh,
  ja,
  ko,
  vi,
  id,
};
