// The texts of the page by key, their placeholders replaced. English alone: what the service says here, its command line
// and its documentation are English too.

import type { Plural } from '../../src/i18n/plural.ts';
import { fill, locale } from '../../src/i18n/translate.ts';
import { en } from './en.ts';

type Texts = typeof en;

export type TextKey = { [Key in keyof Texts]: Texts[Key] extends string ? Key : never }[keyof Texts];
type PluralKey = Exclude<keyof Texts, TextKey>;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Names extends string> = Readonly<Record<Names, string | number>>;

type Given<Names extends string> = [Names] extends [never] ? [] : [values: Values<Names>];

export function text<Key extends TextKey>(key: Key, ...[values]: Given<Placeholders<Texts[Key]>>): string {
  return fill(en[key], values);
}

const plural = new Intl.PluralRules('en');

/** Returns the text for a number of things, in its singular or plural form. */
export function counted(key: PluralKey, n: number): string {
  const forms: Plural = en[key];
  return fill(plural.select(n) === 'one' ? (forms.one ?? forms.other) : forms.other, { n: number(n) });
}

export function number(n: number): string {
  const maximumFractionDigits = Math.abs(n) < 10 ? 1 : 0;
  return new Intl.NumberFormat(locale.value, { maximumFractionDigits }).format(n);
}

const sizes = [
  ['terabyte', 1e12],
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** `12 GB`, `3.4 MB` */
export function bytesWords(bytes: number): string {
  const [unit, size] = sizes.find(([, each]) => bytes >= each * 0.9995) ?? ['byte', 1];
  const count = bytes / size;
  const maximumFractionDigits = count < 10 ? 1 : 0;
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(locale.value, style).format(count);
}

/** Writes when an hour or a day began; days are those of UTC. */
export function spanStart(at: number, by: 'hour' | 'day'): string {
  const options: Intl.DateTimeFormatOptions =
    by === 'day' ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(locale.value, options).format(at);
}
