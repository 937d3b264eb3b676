// The contents of a language file, derived from the English one: the same keys, with plurals where English has them. A
// missing or extra key is a type error. Types only.

import type { addresses } from './addresses/en.ts';
import type { en } from './en.ts';
import type { list } from './list/en.ts';
import type { more } from './more/en.ts';
import type { Plural } from './plural.ts';

type Reference = typeof en & typeof more;

type FirstTextKey = {
  [Key in keyof typeof en]: (typeof en)[Key] extends string ? Key : never;
}[keyof typeof en];

export type PluralKey = Exclude<keyof typeof en, FirstTextKey>;

export type Messages = Readonly<Record<FirstTextKey, string> & Record<PluralKey, Plural>>;

/** Loaded with the views that need them. */
export type MoreMessages = Readonly<Record<keyof typeof more, string>>;

export type TextKey = FirstTextKey | keyof typeof more;

/** The parts in files of their own. */
export type AddressMessages = Pick<Messages, keyof typeof addresses>;
export type ListMessages = Pick<Messages, keyof typeof list>;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Names extends string> = Readonly<Record<Names, string | number>>;

/** Empty, or the values of exactly the placeholders in the English text. */
export type TextValues<Key extends TextKey> = [Placeholders<Reference[Key]>] extends [never]
  ? []
  : [values: Values<Placeholders<Reference[Key]>>];

type FormOf<Entry> = Entry extends { readonly other: infer Form } ? Form : never;
type PluralNames<Key extends PluralKey> = Exclude<Placeholders<FormOf<Reference[Key]>>, 'n'>;

/** As TextValues, without `n`, which is the number itself. */
export type PluralValues<Key extends PluralKey> = [PluralNames<Key>] extends [never]
  ? []
  : [values: Values<PluralNames<Key>>];
