import { expect, it } from 'vitest';

import { foldText } from './fold-text.ts';

function show(text: string): string[] {
  const pieces = foldText(text);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  return pieces.map((piece) => `${piece.isFolded ? '+' : ''}${piece.text.trim()}`);
}

it.each([
  ['Hello.', ['Hello.']],
  ['', ['']],
  [
    'Yes.\n\nOn 3 May, Ann <ann@a.example> wrote:\n> Coming?\n>\n> Ann\n',
    ['Yes.', '+On 3 May, Ann <ann@a.example> wrote:\n> Coming?\n>\n> Ann', ''],
  ],
  [
    'Ja.\n\nAm 3. Mai schrieb Ann:\n\n> Kommst du?\n\nGruß',
    ['Ja.', '+Am 3. Mai schrieb Ann:\n\n> Kommst du?', 'Gruß'],
  ],
  ['Hi\n-- \nNora\n+49 30 1234', ['Hi', '+-- \nNora\n+49 30 1234']],
  ['> All of it\n> is quoted', ['> All of it\n> is quoted']],
  [
    'Look:\n\n-----Original Message-----\nFrom: Ann\nSubject: x\n\nText',
    ['Look:', '+-----Original Message-----\nFrom: Ann\nSubject: x\n\nText'],
  ],
  ['Look:\n----------\nFrom: Ann\n\nText', ['Look:', '+----------\nFrom: Ann\n\nText']],
  ['-----Original Message-----\nFrom: Ann\n\nText', ['-----Original Message-----\nFrom: Ann\n\nText']],
  ['Items\n----- Total -----\n5 EUR', ['Items\n----- Total -----\n5 EUR']],
  ['One\n> a\ntwo\n> b\nthree', ['One', '+> a', 'two', '+> b', 'three']],
  [
    'Yes\n-- \nNora\n\nOn Monday Ann wrote:\n> Coming?',
    ['Yes', '+-- \nNora\n\nOn Monday Ann wrote:\n> Coming?'],
  ],
])('folds %j', (text, pieces) => {
  expect(show(text)).toEqual(pieces);
});

it('leaves a long end after dashes as it is', () => {
  const text = `Hello\n-- \n${'line\n'.repeat(20)}`;
  expect(foldText(text).some((piece) => piece.isFolded)).toBe(false);
});

it('takes time in proportion to the text', () => {
  const text = `words\n${'> quoted\n\n'.repeat(50_000)}`;
  expect(show(text)).toHaveLength(3);
});

it.each([
  ['Hello\n-- \nYour code is 482 913\n', ['482913']],
  ['FYI\n\n> Your code is 482-913', ['482913']],
  ['Hello\n-- \nSign in: https://a.example/in?token=x-y\n', ['https://a.example/in?token=x-y']],
])('shows what is sought, wherever it stands: %j', (text, wanted) => {
  expect(foldText(text).some((piece) => piece.isFolded)).toBe(true);
  expect(foldText(text, wanted).some((piece) => piece.isFolded)).toBe(false);
});
