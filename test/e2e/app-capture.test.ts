// A capture session in the page: opened by its token, showing each message's recipient, filtered by recipient.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp();

interface Captured {
  readonly email: string;
  readonly token: string;
}

async function capture(): Promise<Captured> {
  const body = new URLSearchParams({ capture: '1' });
  const response = await fetch(`${app.service.url}create-session`, { method: 'POST', body });
  return (await response.json()) as Captured;
}

it('shows the recipient of each message, and filters by recipient', async () => {
  const { email, token } = await capture();
  const { origin } = app.service;
  const { page, faults } = await app.openPage({ at: { origin, url: `${app.service.url}#share=${token}` } });
  await page.getByRole('button', { name: 'Open it' }).click();
  expect(await readAddress(page)).toBe(email);
  const at = email.slice('*'.length);
  for (const [name, subject] of [
    ['ann', 'First'],
    ['bob', 'Second'],
    ['Ann', 'Third'],
  ] as const) {
    await app.service.send(`${name}${at}`, { subject, text: `${subject} mail.` });
  }
  const subjects = (): Promise<string[]> => page.locator('.row-subject').allInnerTexts();
  await expect.poll(subjects).toEqual(['Third', 'Second', 'First']);
  expect(await page.locator('.row-to bdi').allInnerTexts()).toEqual([`Ann${at}`, `bob${at}`, `ann${at}`]);
  const filter = page.getByRole('combobox', { name: 'Recipient' });
  await filter.selectOption(`ann${at}`);
  await expect.poll(subjects).toEqual(['Third', 'First']);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('first');
  await expect.poll(subjects).toEqual(['First']);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('');
  await app.service.send(`bob${at}`, { subject: 'Fourth', text: 'Not for Ann.' });
  await app.service.send(`ann${at}`, { subject: 'Fifth', text: 'For Ann.' });
  await expect.poll(subjects).toEqual(['Fifth', 'Third', 'First']);
  await filter.selectOption('All recipients');
  await expect.poll(subjects).toEqual(['Fifth', 'Fourth', 'Third', 'Second', 'First']);
  expect(faults).toEqual(noFaults);
});

it('shows no recipients if a session has one address', async () => {
  const { page, email } = await app.open();
  await app.service.send(email, { subject: 'Mine', text: 'Mine.' });
  await page.getByRole('link', { name: /Mine/ }).waitFor();
  expect(await page.locator('.row-to, #recipient').count()).toBe(0);
});
