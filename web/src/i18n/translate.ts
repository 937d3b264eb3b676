// The page's texts in the reader's language. `t` and `tn` read a signal, so views change with the language. Only the
// choice is kept in this browser.

import { computed, signal } from '@preact/signals';

import { readStored, writeStored } from '../state/storage.ts';
import { detectLanguage, toLocale } from './detect-language.ts';
import { en } from './en.ts';
import { english, type Language, languages } from './languages.ts';
import type { Messages, MoreMessages, PluralKey, PluralValues, TextKey, TextValues } from './messages.ts';

const storageKey = 'mayfly.language';

const active = signal<{ readonly language: Language; readonly messages: Messages }>({
  language: english,
  messages: en,
});

/** The texts that the first view does not need; null until a view that does is loaded. */
const more = signal<MoreMessages | null>(null);

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

/** Call before showing a view with texts of i18n/more. @throws TypeError when they cannot be fetched */
export async function loadMoreTexts(): Promise<void> {
  if (more.peek()) return;
  const { language: wanted } = active.peek();
  const texts = await wanted.loadMore();
  // The reader may have changed the language meanwhile.
  if (active.peek().language === wanted) more.value = texts;
  else await loadMoreTexts();
}

async function show(wanted: Language): Promise<void> {
  const messages = await wanted.load();
  if (more.peek()) more.value = await wanted.loadMore();
  active.value = { language: wanted, messages };
  document.documentElement.lang = wanted.code;
  document.documentElement.dir = wanted.direction;
}

function formatNumber(n: number): string {
  return numberFormat.value.format(n);
}

/** Returns the text of a key, its `{placeholders}` replaced. */
export function t<Key extends TextKey>(key: Key, ...[values]: TextValues<Key>): string {
  return fill(findText(key), values);
}

function findText(key: TextKey): string {
  const { messages } = active.value;
  // Views without the other texts do not change with them.
  return key in messages
    ? messages[key as keyof Messages & TextKey]
    : (more.value?.[key as keyof MoreMessages] ?? '');
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
