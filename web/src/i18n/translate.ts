// The page's texts in the reader's language. `t` and `tn` read a signal, so views change with the language. Only the
// choice is kept in this browser.

import { computed, signal } from '@preact/signals';

import { readStored, writeStored } from '../state/storage.ts';
import { detectLanguage, toLocale } from './detect-language.ts';
import { en } from './en.ts';
import { english, type Language, languages } from './languages.ts';
import type { Messages, PluralKey, PluralValues, TextKey, TextValues } from './messages.ts';

const storageKey = 'mayfly.language';

const active = signal<{ readonly language: Language; readonly messages: Messages }>({
  language: english,
  messages: en,
});

/** Code of the current language. */
export const language = computed(() => active.value.language.code);
/** The locale for Intl: the language, with the reader's region where known. */
export const locale = computed(() => toLocale(active.value.language, navigator.languages));

const pluralRules = computed(() => new Intl.PluralRules(language.value));
const numberFormat = computed(() => new Intl.NumberFormat(locale.value));

/** Loads the language chosen before or the browser's. Call before rendering; resolves when the texts are loaded. */
export async function startLanguage(): Promise<void> {
  const wanted = detectLanguage(readStored(storageKey), navigator.languages);
  try {
    await show(wanted);
  } catch (error) {
    // The texts cannot be fetched, for example offline on a first visit: stays English.
    console.warn(error);
    await show(english);
  }
}

/** Changes the language and remembers it. @throws TypeError when its texts cannot be fetched */
export async function chooseLanguage(code: string): Promise<void> {
  await show(languages.find((one) => one.code === code) ?? english);
  writeStored(storageKey, code);
}

async function show(wanted: Language): Promise<void> {
  const messages = await wanted.load();
  active.value = { language: wanted, messages };
  document.documentElement.lang = wanted.code;
  document.documentElement.dir = wanted.direction;
}

function formatNumber(n: number): string {
  return numberFormat.value.format(n);
}

/** Returns the text of a key, its `{placeholders}` replaced. */
export function t<Key extends TextKey>(key: Key, ...[values]: TextValues<Key>): string {
  return fill(active.value.messages[key], values);
}

/** Returns the text of a key for a count, in the right plural form. */
export function tn<Key extends PluralKey>(key: Key, n: number, ...[values]: PluralValues<Key>): string {
  const forms = active.value.messages[key];
  const form = forms[pluralRules.value.select(n)] ?? forms.other;
  return fill(form, { ...values, n: formatNumber(n) });
}

/** Replaces the `{placeholders}` that have values. */
export function fill(text: string, values: Readonly<Record<string, string | number>> | undefined): string {
  if (values === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
