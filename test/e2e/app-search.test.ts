// Search: the list narrows while typing, and keys move through the results.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail, linkMail } from '../support/page/app-mails.ts';
import { noFaults } from '../support/page/app-page.ts';

const app = useApp();

it('finds by sender, subject, code and prefix, from the keyboard alone', async () => {
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
  // Hidden rows are skipped.
  await page.keyboard.press('j');
  expect(await page.getByRole('heading', { name: 'Please confirm your e-mail address' }).isVisible()).toBe(
    true,
  );
  expect(faults).toEqual(noFaults);
});

it('finds words deep in a text, and says so when the service is unreachable', async () => {
  const { page, context, faults, email } = await app.open();
  const long = `${'Words before. '.repeat(400)}The heron stands still.`;
  await app.service.send(email, { subject: 'Long letter', text: long });
  await app.service.send(email, { subject: 'A heron', text: 'Short.' });
  await app.service.send(email, { subject: 'Nothing of it', text: 'Short.' });
  await expect.poll(() => page.locator('.row').count()).toBe(3);
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  const subjects = (): Promise<string[]> => page.locator('.row-subject').allInnerTexts();
  await search.fill('heron');
  await expect.poll(subjects).toEqual(['A heron', 'Long letter']);
  await search.fill('heron still');
  await expect.poll(subjects).toEqual(['Long letter']);
  await page.getByRole('status').getByText('1 message').waitFor({ state: 'attached' });
  // Mail that arrives meanwhile is searched too.
  await app.service.send(email, { subject: 'Another', text: `${long} And still.` });
  await expect.poll(subjects).toEqual(['Another', 'Long letter']);
  await search.fill('heronry');
  await page.getByText('No messages found.').waitFor();
  await context.route(/check-mail\?.*q=/, (route) => route.abort());
  await search.fill('heron');
  await expect.poll(subjects).toEqual(['A heron']);
  await page.getByText('The text of messages couldn’t be searched').waitFor();
  await search.fill('');
  await expect.poll(() => page.locator('.row').count()).toBe(4);
  expect(faults.violations).toEqual([]);
});

it('speaks from:, subject:, has: and is:, marks its hits, and has chips for those who do not type', async () => {
  const { page, faults, email } = await app.open();
  for (const mail of [attachmentMail, linkMail, codeMail]) await app.service.send(email, mail);
  await expect.poll(() => page.locator('.row').count()).toBe(3);
  // The mail with a code opens by itself, and so is read. An open message would stay among the unread ones.
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  await expect.poll(() => page.locator('.row.is-unread').count()).toBe(2);
  await page.keyboard.press('Escape');
  await page.locator('.message-title').waitFor({ state: 'detached' });
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  const shown = (): Promise<string[]> => page.locator('.row-sender').allInnerTexts();
  for (const [query, senders] of [
    ['from:nora', ['Nora Lindqvist']],
    ['from:"brook bank" has:code', ['Brook Bank']],
    ['subject:confirm', ['Paper Kites']],
    ['has:attachment', ['Nora Lindqvist']],
    ['is:unread kites', ['Paper Kites']],
    ['is:read', ['Brook Bank']],
    ['is:unread', ['Paper Kites', 'Nora Lindqvist']],
    ['is:read kites', []],
    ['from:', ['Brook Bank', 'Paper Kites', 'Nora Lindqvist']],
  ] as const) {
    await search.fill(query);
    await expect.poll(shown, { message: query }).toEqual(senders);
  }
  await search.fill('from:bank code');
  await expect.poll(() => page.locator('.row mark').allInnerTexts()).toEqual(['Bank', 'code', 'code']);
  await search.fill('');
  await expect.poll(() => page.locator('.row mark').count()).toBe(0);
  const chips = page.getByRole('group', { name: 'Narrow the search' });
  await chips.getByRole('button', { name: 'With a code' }).click();
  await expect.poll(shown).toEqual(['Brook Bank']);
  expect(await search.inputValue()).toBe('has:code ');
  expect(await chips.getByRole('button', { name: 'With a code' }).getAttribute('aria-pressed')).toBe('true');
  await chips.getByRole('button', { name: 'Unread' }).click();
  await chips.getByRole('button', { name: 'With a code' }).click();
  expect(await search.inputValue()).toBe('is:unread ');
  await expect.poll(shown).toEqual(['Paper Kites', 'Nora Lindqvist']);
  expect(faults).toEqual(noFaults);
});

it('shows the mail with one tag, together with a search', async () => {
  const { page, faults, email } = await app.open();
  const tagged = (tag: string): string => email.replace('@', `+${tag}@`);
  await app.service.send(email, { subject: 'Plain', text: 'Plain.' });
  for (const [tag, subject] of [
    ['shop', 'Order one'],
    ['news', 'Letter'],
    ['Shop', 'Order two'],
  ] as const) {
    await app.service.send(tagged(tag), { subject, text: subject });
  }
  const subjects = (): Promise<string[]> => page.locator('.row-subject').allInnerTexts();
  await expect.poll(subjects).toEqual(['Order two', 'Letter', 'Order one', 'Plain']);
  expect(await page.locator('.row-to bdi').allInnerTexts()).toEqual(['+Shop', '+news', '+shop']);
  const tags = page.getByRole('group', { name: 'Tag' });
  expect(await tags.getByRole('button').allInnerTexts()).toEqual(['All', '+news', '+shop']);
  await tags.getByRole('button', { name: '+shop' }).click();
  await expect.poll(subjects).toEqual(['Order two', 'Order one']);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('two');
  await expect.poll(subjects).toEqual(['Order two']);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('');
  await app.service.send(tagged('shop'), { subject: 'Order three', text: 'Three.' });
  await expect.poll(subjects).toEqual(['Order three', 'Order two', 'Order one']);
  await tags.getByRole('button', { name: 'All' }).click();
  await expect.poll(() => page.locator('.row').count()).toBe(5);
  expect(faults).toEqual(noFaults);
});

it('shows how to unsubscribe', async () => {
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
  expect(await page.locator('.fact', { has: link }).innerText()).toContain('leave@news.example');
  expect(faults).toEqual(noFaults);
});
