// A text in the plural forms of its language. A type alone, apart from messages.ts, which is derived from the English texts.

/** Forms by plural category (CLDR); `{n}` stands for the number as the language writes it. */
export interface Plural {
  readonly zero?: string;
  readonly one?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}
