import { describe, expect, it } from 'vitest';

import { drawName } from './draw-name.ts';
import { firstWords, otherWords } from './words.ts';

/** Always the same numbers: a generator of Lehmer's. */
function createRandom(): (bound: number) => number {
  let state = 20_260_101;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

/** Returns the given numbers, one for each call. */
function script(...numbers: number[]): (bound: number) => number {
  return () => numbers.shift()!;
}

const spoken = {
  short: /^[a-z]{3,7}\.[a-z]{3,7}[2-9]\d$/,
  long: /^[a-z]{3,7}(?:\.[a-z]{3,7}){2}[2-9]\d{5}$/,
};

describe.each([
  ['short', false, 26],
  ['long', true, 50],
] as const)('a %s name', (form, isLong, bits) => {
  const draws = 6000;
  const random = createRandom();
  const drawn = Array.from({ length: draws }, () => drawName(isLong, random));

  it('is words and digits of one form', () => {
    expect(drawn.filter((name) => !spoken[form].test(name))).toEqual([]);
  });

  it(`is one of more than 2^${bits}, all alike`, () => {
    const words = firstWords.length * otherWords.length * (isLong ? otherWords.length - 1 : 1);
    let again = 0;
    for (const number of Array.from({ length: draws }, () => random(isLong ? 800_000 : 80))) {
      const numbers = [0, 1, ...(isLong ? [2] : []), number, 0, 1, ...(isLong ? [2] : []), 0];
      const rest = script(...numbers);
      if (drawName(isLong, rest).endsWith(isLong ? '200000' : '20') && number !== 0) again += 1;
    }
    const digits = (isLong ? 800_000 : 80) * (1 - again / draws);
    expect(Math.log2(words * digits)).toBeGreaterThan(bits);
  });

  it('has every word and every digit in its place', () => {
    const parts = drawn.map((name) => name.split(/[.]|(?<=[a-z])(?=\d)/));
    const last = isLong ? 3 : 2;
    expect(new Set(parts.map(([first]) => first))).toEqual(new Set(firstWords));
    for (let at = 0; at < (isLong ? 6 : 2); at += 1) {
      expect(new Set(parts.map((one) => one[last]![at])).size).toBe(at === 0 ? 8 : 10);
    }
  });
});

it('draws again what says a word twice or has an unwanted number', () => {
  const twice = firstWords.findIndex((word) => otherWords.includes(word));
  const same = otherWords.indexOf(firstWords[twice]!);
  const name = drawName(false, script(twice, same, 22, 0, 0, 49, 0, 0, 68, 0, 1, 22));
  expect(name).toBe(`${firstWords[0]}.${otherWords[1]}42`);
  expect(drawName(true, script(0, 0, 1, 66_600, 0, 0, 1, 14_880, 0, 0, 1, 282_913))).toMatch(/482913$/);
});
