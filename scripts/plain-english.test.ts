import { describe, expect, it } from 'vitest';

import { findForeignWording } from './plain-english.mjs';

describe('refuses in comments', () => {
  it.each([
    ['a.ts', '/** Of what came, the newest. */', 'the comment begins with "Of"'],
    ['a.tsx', '// What must not be repeated.', 'the comment begins with "What"'],
    ['a.mjs', 'x();\n/**\n * Returns the newest message.\n * Somebody waits.\n */', 'the word "Somebody"'],
    ['a.ts', 'x();\n  // Sent at once, so that\n  // nobody waits.', 'the word "nobody"'],
    ['a.go', '// Wait gives up when it is told to.', 'the word "told"'],
    ['a.ts', '/** Half a milliard bytes. */', 'the word "milliard"'],
    ['a.py', '#: What the service answered.', 'the comment begins with "What"'],
    ['a.py', 'def f():\n    """Returns what whoever asks for it needs."""', 'the word "whoever"'],
  ])('%s: %s', (file, text, reason) => {
    expect(findForeignWording(file, text)).toEqual([expect.stringContaining(reason)]);
  });
});

it('names the line on which the comment begins', () => {
  expect(findForeignWording('src/a.ts', '\n\nx();\n// Of both.\ny();\n')).toEqual([
    'src/a.ts:4: the comment begins with "Of"',
  ]);
});

it.each([
  'const told = 1;',
  'export function isTold(): void {}',
  '  readonly areDear: boolean;',
  'class Nobody {}',
])('refuses the name in: %s', (text) => {
  expect(findForeignWording('a.ts', text)).toHaveLength(1);
});

describe('refuses in titles of tests', () => {
  it.each([
    ["it('of two, the newer is shown', () => {});", 'of'],
    ["it(\n  'calls nobody who has left', () => {});", 'nobody'],
    ["it.each([\n  [1],\n])('what was asked for: %s', () => {});", 'what'],
    ["describe('whose turn it is', () => {});", 'whose'],
  ])('%s', (text, word) => {
    expect(findForeignWording('src/a.test.ts', text)).toEqual([expect.stringContaining(`"${word}"`)]);
  });
});

it.each([
  ['a.ts', '/** Returns the newest message. */\nconst tolder = toldness;'],
  ['a.ts', "const reason = 'nobody told whoever asked'; x(`What ${y}`);"],
  ['a.ts', '// Answers "nobody" for `whoever`.'],
  ['a.ts', '// Often the same. Whatever the case, the end of what was read.'],
  ['a.py', 'x = "told"  # a text'],
  ['a.test.ts', "it('answers `nobody`, whatever is asked', () => {});"],
  ['a.md', 'What nobody told whoever asked.'],
])('%s may have: %s', (file, text) => {
  expect(findForeignWording(file, text)).toEqual([]);
});
