// A text in the plural forms of its language. In a file apart from messages.ts, which is derived from the English
// texts.

/** Forms by plural category (CLDR); `{n}` is replaced by the number in the language's notation. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}
