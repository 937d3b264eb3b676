// Screens the words for bad meanings, alone and next to each other.
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { firstWords, otherWords } from './words.ts';

/** In Latin letters, of Arabic, Chinese, English, French, German, Hindi, Japanese, Portuguese, Russian and Spanish. */
const unwanted = fromRot13(readFileSync(new URL('../test/unwanted.txt', import.meta.url), 'utf8')).split(
  /\s+/,
);
const exact = new Set(unwanted);
const all = [...new Set([...firstWords, ...otherWords])];

function fromRot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) => {
    return String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97);
  });
}

it('knows some of the words that it screens for', () => {
  expect(unwanted.length).toBeGreaterThan(1000);
  for (const word of 'zvreqn fpurvff zreqr fhxn puhgvln xhfb funezhgn pnenyub'.split(' ')) {
    expect(exact.has(fromRot13(word)), word).toBe(true);
  }
});

describe.each([
  ['first words', firstWords],
  ['other words', otherWords],
])('the %s', (_, words) => {
  it('are short, sorted, and each there once', () => {
    for (const word of words) expect(word).toMatch(/^[a-z]{3,7}$/);
    expect(words).toEqual([...new Set(words)].toSorted());
  });

  it('are no bad word, and contain none of four letters or more', () => {
    const bad = words.filter((word) => exact.has(word) || unwanted.some((one) => holds(word, one)));
    expect(bad).toEqual([]);
  });

  it('make none with the next word that begins with the first or ends with the second', () => {
    const found: string[] = [];
    const [mine, others] = [new Set(words), new Set(otherWords)];
    for (const word of unwanted.filter(({ length }) => length >= 4)) {
      for (let cut = 1; cut < word.length; cut += 1) {
        const [left, right] = [word.slice(0, cut), word.slice(cut)];
        if (mine.has(left) && otherWords.some((one) => one.startsWith(right))) found.push(`${left}.${right}`);
        const isLong = word.length > 4 && others.has(right);
        if (isLong && words.some((one) => one.endsWith(left))) found.push(`${left}.${right}`);
      }
    }
    expect(found).toEqual([]);
  });
});

it('name no role of a mail server or of the law, which could be taken for an office', () => {
  const roles =
    'abuse account admin agent bank billing court credit help info judge legal mail noc office official ' +
    'police post postmaster root sales secure security server service staff support system team tax webmaster';
  const found = roles.split(' ').filter((role) => all.includes(role));
  expect(found).toEqual([]);
});

function holds(word: string, part: string): boolean {
  return part.length >= 4 && word.includes(part);
}
