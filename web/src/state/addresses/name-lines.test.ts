import { expect, it } from 'vitest';

import { isLongName, lineWords, nameLines } from './name-lines.ts';

it.each([
  ['amber.fox42', ['amber.fox42'], false],
  ['harbor.planet42', ['harbor.planet42'], true],
  ['painted.jackpot96', ['painted.', 'jackpot96'], true],
  ['amber.fox.lamp482913', ['amber.fox.', 'lamp482913'], true],
  ['crimson.giraffe.lantern482913', ['crimson.giraffe.', 'lantern482913'], true],
  ['one-word-that-is-long', ['one-word-that-is-long'], true],
])('breaks %s into lines', (name, lines, isLong) => {
  expect(nameLines(name)).toEqual(lines);
  expect(isLongName(name)).toBe(isLong);
});

it('ends each word at its dot', () => {
  expect(lineWords('crimson.giraffe.')).toEqual(['crimson.', 'giraffe.']);
});
