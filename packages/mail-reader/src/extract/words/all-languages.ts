// Every language with keywords. To add one, add a file like its neighbours and a line here; one in Latin letters also
// needs its function words in function-words.ts, or its keywords count only when no other language is detected.
import { ar } from './ar.ts';
import { bg } from './bg.ts';
import { bn } from './bn.ts';
import { ca } from './ca.ts';
import { cs } from './cs.ts';
import { da } from './da.ts';
import { de } from './de.ts';
import { el } from './el.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { et } from './et.ts';
import { fa } from './fa.ts';
import { fi } from './fi.ts';
import { fr } from './fr.ts';
import { he } from './he.ts';
import { hi } from './hi.ts';
import { hr } from './hr.ts';
import { hu } from './hu.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { lt } from './lt.ts';
import { lv } from './lv.ts';
import { ms } from './ms.ts';
import { nl } from './nl.ts';
import { no } from './no.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { ru } from './ru.ts';
import { sk } from './sk.ts';
import { sl } from './sl.ts';
import { sr } from './sr.ts';
import { sv } from './sv.ts';
import { ta } from './ta.ts';
import { th } from './th.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { ur } from './ur.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';
import type { WordLists } from './word-lists.ts';

export const allLanguages: Readonly<Record<string, Partial<WordLists>>> = {
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
  sv,
  da,
  no,
  fi,
  cs,
  sk,
  hu,
  ro,
  el,
  he,
  th,
  bn,
  ta,
  ur,
  ca,
  hr,
  sl,
  lt,
  lv,
  et,
  ms,
  bg,
  sr,
};
