// Draws a name that can be spoken: `amber.fox42`, or `amber.fox.lamp482913` where strangers might try names.

import { firstWords, otherWords } from './words.ts';

/** Numbers that are read as an insult or a slogan. */
const unwanted = /^(?:69|88)$|666|1488/;

/**
 * @param isLong 50 bits instead of 26
 * @param below returns an integer from 0 to below its argument, all equally likely
 * @returns lower case, at most 29 characters
 */
export function drawName(isLong: boolean, below: (bound: number) => number): string {
  const pick = (words: readonly string[]): string => words[below(words.length)] ?? '';
  const words = [firstWords, otherWords, ...(isLong ? [otherWords] : [])].map(pick);
  // The first digit is none that could be read as a letter of the word before it.
  const lowest = isLong ? 200_000 : 20;
  const digits = String(lowest + below(lowest * 4));
  const isWanted = new Set(words).size === words.length && !unwanted.test(digits);
  return isWanted ? words.join('.') + digits : drawName(isLong, below);
}
