// What a person sees of a whole message: its text, in place of the alternatives that a mail program does not show, without
// what the sender hid. For readers that must not be told more than a person is.
import { readBodyText } from '../parts/body-text.ts';
import { readingBudget } from '../parts/parse-budget.ts';
import { readPartTree } from '../parts/part-tree.ts';
import { ExcessiveMarkupError } from '../sanitise/markup-budget.ts';
import { readSeenHtml } from './visible-html.ts';

export interface SeenMessage {
  readonly text: string;
  /** Characters that are not white space. */
  readonly hidden: {
    /** Of text that styles hide. */
    readonly style: number;
    /** Of comments, alternative texts and elements that are not shown as text. */
    readonly markup: number;
    /** Of words in a plain text beside the HTML that are not in the text. */
    readonly alternative: number;
  };
}

/** More of it than any reader is shown. */
const maxChars = 100_000;

/** Undefined for a message whose markup is made to be costly. Never throws. */
export function readSeenMessage(raw: Uint8Array): SeenMessage | undefined {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { root } = readPartTree(buffer, readingBudget);
  let [style, markup] = [0, 0];
  const toText = (html: string): string => {
    const seen = readSeenHtml(html, maxChars);
    style += seen.hiddenByStyle;
    markup += seen.hiddenInMarkup;
    return seen.text;
  };
  try {
    const { text } = readBodyText(buffer, root, { ...readingBudget, toText });
    const { plain } = readBodyText(buffer, root, readingBudget);
    const shown = text.slice(0, maxChars);
    return { text: shown, hidden: { style, markup, alternative: countMissing(plain, shown) } };
  } catch (error) {
    if (error instanceof ExcessiveMarkupError) return undefined;
    throw error;
  }
}

/** Characters of the words of `plain` that `shown` has not; addresses of links stand in the one alone. */
function countMissing(plain: string, shown: string): number {
  const toWords = (text: string): string[] =>
    text
      .slice(0, maxChars)
      .replaceAll(/https?:\/\/\S+/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(toWords(shown));
  return toWords(plain)
    .filter((word) => !known.has(word))
    .reduce((sum, word) => sum + word.length, 0);
}
