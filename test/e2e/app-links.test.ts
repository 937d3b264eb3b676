// Links that may mislead take two steps, wherever they are and however they are followed; others take one.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { noFaults } from '../support/page/app-page.ts';

const app = useApp();

const html = `<p><a href="https://evil.example/login">https://bank.example</a></p>
<p><a href="https://bank@evil.example/login">Sign in</a></p><p><a href="https://fine.example/page">Fine</a></p>`;

async function open() {
  const opened = await app.open();
  const { page, context, email } = opened;
  await app.service.send(email, { subject: 'Links', html, text: 'https://user@evil.example/login' });
  await page.getByRole('link', { name: /Links/ }).click();
  // Hosts do not exist here: a window that opens is enough.
  const windows: Page[] = [];
  context.on('page', (one) => windows.push(one));
  return { ...opened, windows, mail: page.locator('iframe').contentFrame() };
}

it('asks before a misleading link of the message is followed, by mouse, middle button and keyboard', async () => {
  const { page, mail, windows, faults } = await open();
  const question = page.getByRole('dialog', { name: 'This link may mislead' });
  const stay = page.getByRole('button', { name: 'Don’t open' });
  await mail.getByText('https://bank.example').click();
  await question.getByText('evil.example', { exact: true }).waitFor();
  await question.getByText('names one site, but the link leads to another').waitFor();
  expect(await checkAccessibility(page)).toEqual([]);
  await stay.click();
  await question.waitFor({ state: 'detached' });
  await mail.getByText('https://bank.example').click({ button: 'middle' });
  await stay.click();
  await mail.getByText('https://bank.example').click({ modifiers: ['Control'] });
  await stay.click();
  await mail.getByText('Sign in').press('Enter');
  await stay.click();
  expect(windows).toEqual([]);
  await mail.getByText('https://bank.example').click();
  await page.getByRole('link', { name: 'Open it anyway' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => windows.length).toBe(1);
  expect(faults.violations).toEqual([]);
});

it('follows any other link at once', async () => {
  const { page, mail, windows } = await open();
  await mail.getByText('Fine').click();
  await expect.poll(() => windows.length).toBe(1);
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('asks about a misleading link above the message and in its text too', async () => {
  const { page, windows, faults } = await open();
  const question = page.getByRole('dialog', { name: 'This link may mislead' });
  const stay = page.getByRole('button', { name: 'Don’t open' });
  await page.locator('.find-open').first().click();
  await question.waitFor();
  await stay.click();
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.getByTestId('text').getByRole('link').click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(windows).toEqual([]);
  expect(faults).toEqual(noFaults);
});
