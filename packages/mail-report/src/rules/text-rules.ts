// Rules about the text part, which some people read and many filters compare with the HTML.

import { inMessage, type Rated } from '../findings.ts';
import { readVisibleText } from '../document/visible-text.ts';
import type { HtmlSubject, MessageSubject } from './subject-of-rules.ts';

const missing: Rated = {
  rule: 'text/missing',
  severity: 'warning',
  advice: 'Send multipart/alternative with a text/plain part that says the same as the HTML.',
};
const empty: Rated = {
  rule: 'text/nothing',
  severity: 'error',
  advice: 'Check that the template was found and rendered.',
};
const differs: Rated = {
  rule: 'text/differs',
  severity: 'warning',
  advice: 'Make the text part from the same template as the HTML, so that readers of either learn the same.',
};

const leastLikeness = 0.4;
/** Shorter texts differ by chance. */
const leastWords = 12;
const wordsMax = 20_000;

export function checkTextPart({ input: { text, html, attachments }, findings }: MessageSubject): void {
  const hasText = text !== null && text.trim() !== '';
  if (html === null && !hasText && attachments.length === 0) {
    findings.add(empty, 'The message shows nothing: it has neither text nor HTML.', inMessage());
  } else if (html !== null && !hasText) {
    const what = text === null ? 'has no text part' : 'has a text part without text';
    findings.add(missing, `The message ${what}.`, inMessage());
  }
}

/** Returns the likeness from 0 to 1, or null when there are not two texts to compare. */
export function checkLikeness({ input: { text }, document, findings }: HtmlSubject): number | null {
  if (text === null || text.trim() === '') return null;
  const words = toWords(text);
  const others = toWords(readVisibleText(document).join(' '));
  const likeness = compare(words, others);
  if (likeness < leastLikeness && Math.max(words.length, others.length) >= leastWords) {
    const percent = Math.round(100 * likeness);
    findings.add(
      differs,
      `The text part and the HTML have only ${percent} % of their words in common.`,
      inMessage(),
    );
  }
  return Math.round(100 * likeness) / 100;
}

/** Addresses are left out: HTML hides them. */
function toWords(text: string): string[] {
  const spoken = text.toLowerCase().replaceAll(/https?:\/\/\S+/g, ' ');
  return (spoken.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsMax);
}

/** The share of words that both have, as often as both have them (Dice). */
function compare(words: readonly string[], others: readonly string[]): number {
  if (words.length + others.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of others) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(word, count - 1);
  }
  return (2 * common) / (words.length + others.length);
}
