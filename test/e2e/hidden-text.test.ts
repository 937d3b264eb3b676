// A part of the tricks that hide text: what changes no pixel in Chromium is not given to a model. hidden-text.long.test.ts
// plays all of them.
import { expect, it } from 'vitest';

import { readSeenHtml } from '../../packages/mail-reader/src/visible.ts';
import { useBrowser } from '../support/page/app-fixture.ts';
import { newsletterMails } from '../support/mail/newsletter-mails.ts';
import { playTricks, tricks } from './play-tricks.ts';

const chromium = useBrowser();
const some = tricks.filter((_, at) => at % 4 === 0);

it('gives a model no text that a browser does not draw', { timeout: 240_000 }, async () => {
  const { drawn, shown } = await playTricks(chromium.browser, some);
  expect(shown).toEqual([]);
  // Most tricks work in this browser, so the comparison says something.
  expect(drawn).toBeLessThan(some.length / 3);
});

it('gives a model what ordinary mails show', () => {
  for (const { name, html, shown, hidden } of newsletterMails()) {
    const { text } = readSeenHtml(html, 100_000);
    expect([name, shown.filter((words) => !text.includes(words))]).toEqual([name, []]);
    expect([name, hidden.filter((words) => text.includes(words))]).toEqual([name, []]);
  }
});
