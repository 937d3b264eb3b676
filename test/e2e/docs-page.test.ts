// The docs in a browser: grouped, readable on a phone, and with operations to try in a session of their own.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { phone } from '../support/page/app-page.ts';

const app = useApp();

it('has the first five operations before the others, on a desk and on a phone, in light and dark', async () => {
  const { page, faults } = await app.open();
  await page.goto(`${app.service.url}docs`);
  const [group] = await page.getByRole('navigation').getByRole('list').all();
  expect(await group?.getByRole('link').allInnerTexts()).toEqual([
    'GET domains',
    'POST create-session',
    'GET check-mail',
    'GET read-mail',
    'POST delete-mail',
  ]);
  expect(await checkAccessibility(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await checkAccessibility(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(faults.errors).toEqual([]);
  expect(faults.violations).toEqual([]);
});

it('tries operations with a session of its own, and leaves the reader’s alone', async () => {
  const { page, email, faults } = await app.open();
  await page.goto(`${app.service.url}docs`);
  await page.getByText(`The examples hold the token of ${email}`).waitFor();
  await page.getByRole('button', { name: 'Get a session to try with' }).click();
  const note = page.locator('[data-own]');
  await expect.poll(() => note.innerText()).toContain('is yours to try');
  const own = (await note.innerText()).split(' ')[0] ?? '';
  expect(own).not.toBe(email);
  await app.service.send(own, { subject: 'For trying', text: 'Words' });
  const section = page.locator('#checkMail');
  await section.getByText('Try it').click();
  await section.getByLabel('subject').fill('trying');
  await section.getByRole('button', { name: 'Run' }).click();
  const answer = section.locator('.try pre');
  await expect.poll(() => answer.innerText()).toContain('"subject": "For trying"');
  expect(await answer.innerText()).toMatch(/^200 /);
  const deletion = page.locator('#deleteMail');
  await deletion.getByText('Try it').click();
  await deletion.getByLabel('id', { exact: true }).fill('99');
  await deletion.getByRole('button', { name: 'Run' }).click();
  await expect.poll(() => deletion.locator('.try pre').innerText()).toContain('message_not_found');
  expect(faults.violations).toEqual([]);
});

it('shows a page at an unknown address, which leads back', async () => {
  const { page, faults } = await app.open(phone);
  const answer = await page.goto(`${app.service.url}nothing/here`);
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { name: 'There’s nothing here' }).waitFor();
  expect(await checkAccessibility(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go to your inbox' }).click();
  await page.getByTestId('address').waitFor();
  expect(faults.violations).toEqual([]);
});
