// Search: the list narrows as one types, and keys walk what is left.
import { expect, it } from 'vitest';

import { useApp } from '../support/app-fixture.ts';
import { attachmentMail, codeMail, linkMail } from '../support/app-mails.ts';
import { noFaults } from '../support/app-page.ts';

const app = useApp();

it('finds by sender, subject, code and beginning, from the keyboard alone', async () => {
  const { page, faults, email } = await app.open();
  for (const mail of [attachmentMail, linkMail, codeMail]) await app.service.send(email, mail);
  await page.getByRole('link', { name: /Brook Bank/ }).waitFor();
  await expect.poll(() => page.locator('.row').count()).toBe(3);
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  const shown = (): Promise<string[]> => page.locator('.row-sender').allInnerTexts();
  for (const [query, senders] of [
    ['nora', ['Nora Lindqvist']],
    ['confirm', ['Paper Kites']],
    ['4829', ['Brook Bank']],
    ['tickets lisbon', []],
    ['example', ['Brook Bank', 'Paper Kites', 'Nora Lindqvist']],
  ] as const) {
    await page.keyboard.press('/');
    await search.fill(query);
    await expect.poll(shown).toEqual(senders);
    if (senders.length === 0) await page.getByText('No messages found.').waitFor();
    await page.keyboard.press('Escape');
  }
  await expect.poll(shown).toEqual(['Brook Bank', 'Paper Kites', 'Nora Lindqvist']);
  await page.keyboard.press('/');
  await page.keyboard.type('paperkites');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Please confirm your e-mail address' }).waitFor();
  // What the search hides is not walked to.
  await page.keyboard.press('j');
  expect(await page.getByRole('heading', { name: 'Please confirm your e-mail address' }).isVisible()).toBe(
    true,
  );
  expect(faults).toEqual(noFaults);
});

it('tells where one can unsubscribe', async () => {
  const { page, faults, email } = await app.open();
  await app.service.send(email, {
    subject: 'News',
    text: 'News.',
    headers: { 'List-Unsubscribe': '<https://news.example/leave?id=1>, <mailto:leave@news.example>' },
  });
  await page.getByRole('link', { name: /News/ }).click();
  await page.locator('summary.trust').click();
  const link = page.getByRole('link', { name: 'news.example', exact: true });
  expect(await link.getAttribute('href')).toBe('https://news.example/leave?id=1');
  expect(await link.getAttribute('rel')).toContain('noopener noreferrer');
  expect(faults).toEqual(noFaults);
});
