// HTML that expands far beyond its length: the parser's result stays in proportion to it, or the message is refused.
// Asserts counts and sizes, since time on a busy machine says little.
import { describe, expect, it } from 'vitest';

import { createHtmlCleaner } from './sanitise-html.ts';

const cleaner = createHtmlCleaner();
const sanitise = (html: string) => cleaner.sanitise({ html, images: 'none', contentIds: [] });
const numbered = (count: number, tag: string): string =>
  Array.from({ length: count }, (_, i) => `<${tag} class=${i}>`).join('');

const excessive: [string, string][] = [
  ['formatting elements made anew in each paragraph', `<p>${numbered(450, 'b')}${'<p>x'.repeat(450)}`],
  [
    'formatting elements made anew in each block',
    `<div>${numbered(450, 'b')}</div>${'<div>x</div>'.repeat(450)}`,
  ],
  ['a long attribute made anew', `<p><font face="${'x'.repeat(20_000)}">${'<p>x'.repeat(2_000)}`],
  [
    'many attributes made anew',
    `<p><b ${Array.from({ length: 300 }, (_, i) => `data-${i}=1`).join(' ')}>${'<p>x'.repeat(5_000)}`,
  ],
  ['elements within one another', '<div>'.repeat(100_000)],
  ['unknown elements within one another', '<x-a>'.repeat(100_000)],
  ['lists within one another', '<ul><li>'.repeat(100_000)],
  ['what is taken out, within itself', '<svg><g>'.repeat(50_000)],
];

describe('markup built to be costly', () => {
  it.each(excessive)('is refused: %s', async (_, html) => {
    const { refused } = { refused: 'shown', ...(await sanitise(html)) };
    expect(refused).toBe('excessive');
  });
});

describe('markup of ordinary mail', () => {
  it.each<[string, string]>([
    ['a reply within 100 replies', '<blockquote><div>'.repeat(100)],
    ['200 tables within one another', '<table><tr><td>'.repeat(200)],
    [
      'formatting that is never closed',
      `<font face=Arial><font size=2>${'<p>Some words to read.'.repeat(2_000)}`,
    ],
    ['tables that leave out what they can', `<table>${'<tr><td>x'.repeat(10_000)}</table>`],
    ['many short elements', '<p>'.repeat(30_000)],
  ])('is shown: %s', async (_, html) => {
    expect(Object.keys(await sanitise(html))).toContain('pieces');
  });
});
