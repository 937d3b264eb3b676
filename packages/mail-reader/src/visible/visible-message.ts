// Returns the text a person sees of a whole message, without the alternatives a mail program does not show and without
// what the sender hid. For readers that must not get more than a person does.
import { readBodyText } from '../parts/body-text.ts';
import { readingBudget } from '../parts/parse-budget.ts';
import { readPartTree } from '../parts/part-tree.ts';
import { ExcessiveMarkupError } from '../sanitise/markup-budget.ts';
import { readSeenHtml } from './visible-html.ts';

export interface SeenMessage {
  readonly text: string;
  /** Characters that are not white space. */
  readonly hidden: {
    /** In text hidden by styles. */
    readonly style: number;
    /** In comments, alternative texts and elements not shown as text. */
    readonly markup: number;
    /** In words of the plain alternative that the HTML lacks. */
    readonly alternative: number;
  };
}

/** More than any reader is shown. */
const charsMax = 100_000;

/** Returns undefined for a message whose markup is built to be costly. Never throws. */
export function readSeenMessage(raw: Uint8Array): SeenMessage | undefined {
  const buffer = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { root } = readPartTree(buffer, readingBudget);
  let [style, markup] = [0, 0];
  const toText = (html: string): string => {
    const seen = readSeenHtml(html, charsMax);
    style += seen.hiddenByStyle;
    markup += seen.hiddenInMarkup;
    return seen.text;
  };
  try {
    const { text } = readBodyText(buffer, root, { ...readingBudget, toText });
    const { plain } = readBodyText(buffer, root, readingBudget);
    const shown = text.slice(0, charsMax);
    return { text: shown, hidden: { style, markup, alternative: countMissing(plain, shown) } };
  } catch (error) {
    if (error instanceof ExcessiveMarkupError) return undefined;
    throw error;
  }
}

/** Counts the characters of words in `plain` that `shown` lacks; URLs of links occur only in the plain text. */
function countMissing(plain: string, shown: string): number {
  const toWords = (text: string): string[] =>
    text
      .slice(0, charsMax)
      .replaceAll(/https?:\/\/\S+/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(toWords(shown));
  return toWords(plain)
    .filter((word) => !known.has(word))
    .reduce((sum, word) => sum + word.length, 0);
}
