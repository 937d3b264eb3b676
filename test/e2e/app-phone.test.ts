// The page on phones, down to 320 px: nothing is cut off, everything can be tapped, the back button goes back.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail, linkMail } from '../support/page/app-mails.ts';
import { type AppPage, noFaults, phone, readAddress } from '../support/page/app-page.ts';

const app = useApp();

const narrow = { ...phone, viewport: { width: 320, height: 640 } };

async function openWithMail(): Promise<AppPage> {
  const opened = await app.open(narrow);
  const { email } = opened;
  for (const mail of [attachmentMail, linkMail, codeMail]) await app.service.send(email, mail);
  await opened.page.getByRole('link', { name: /Nora/ }).waitFor();
  await opened.page.getByRole('link', { name: /Brook Bank/ }).waitFor();
  return opened;
}

/** Returns the names of elements that overflow the side, and of targets below 24 px (WCAG 2.5.8). */
async function findFlaws(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const isShown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
    const nameOf = (element) => element.className + ' ' + element.textContent.slice(0, 30);
    const controls = [...document.querySelectorAll('button, a[href], select, input, summary')].filter(isShown);
    const small = controls.filter((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
      return (width < 24 || height < 24) && !element.closest('.plain') && !element.matches('.skip-link');
    });
    const sideways = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    return [...small.map(nameOf), ...sideways];
  })()`);
}

it('fits 320 px in every view', async () => {
  const { page, faults } = await openWithMail();
  expect(await findFlaws(page)).toEqual([]);
  for (const name of [/Brook Bank/, /Paper Kites/, /Nora/]) {
    await page.getByRole('link', { name }).tap();
    await page.locator('.message-title').waitFor();
    await page.locator('summary.trust').tap();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).tap();
    await page.locator('.message-title').waitFor({ state: 'detached' });
  }
  for (const name of ['QR code', 'Choose name, domain and time', 'End address', 'Settings', 'Deliveries']) {
    const button = page.getByRole('button', { name, exact: true });
    if ((await button.count()) === 0) {
      await page.getByRole('button', { name: 'More about this address' }).tap();
      expect(await findFlaws(page)).toEqual([]);
    }
    await button.tap();
    await page.getByRole('dialog').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(faults).toEqual(noFaults);
});

it('shows the message alone, and the list again by the back button', async () => {
  const { page, faults } = await openWithMail();
  await page.getByRole('link', { name: /Brook Bank/ }).tap();
  await page.locator('.message-title').waitFor();
  expect(await page.getByRole('link', { name: /Nora/ }).isVisible()).toBe(false);
  await page.goBack();
  await page.getByRole('link', { name: /Nora/ }).waitFor();
  expect(await page.locator('.message-title').count()).toBe(0);
  await page.goForward();
  await page.locator('.message-title').waitFor();
  expect(faults).toEqual(noFaults);
});

it('reaches the code of a new message with one tap', async () => {
  const { page, readClipboard, faults } = await openWithMail();
  await page.getByRole('button', { name: 'Copy newest code 482913' }).tap();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await readClipboard()).toBe('482913');
  expect(faults).toEqual(noFaults);
});

it('shows subject and sender of a loading message, and fits', async () => {
  const { page, faults } = await openWithMail();
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/read-mail*', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole('link', { name: /Brook Bank/ }).tap();
  await page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  await page.locator('.message-lines').waitFor();
  expect(await page.locator('.origin-sender').innerText()).toBe('Brook Bank');
  expect(await findFlaws(page)).toEqual([]);
  expect(await page.evaluate('[innerWidth, document.documentElement.scrollWidth]')).toEqual([320, 320]);
  release();
  await page.getByRole('button', { name: 'Copy code', exact: true }).waitFor();
  expect(await page.locator('.message-lines').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('shows the code of a message that arrives while another is open', async () => {
  const opened = await app.openPage(narrow);
  const { page, readClipboard, faults } = opened;
  const email = await readAddress(page);
  await app.service.send(email, attachmentMail);
  await page.getByRole('link', { name: /Nora/ }).tap();
  await page.getByTestId('text').getByText('See you at seven.').waitFor();
  await app.service.send(email, codeMail);
  const banner = page.getByRole('region', { name: 'Newest code' });
  await banner.getByText('Brook Bank').waitFor();
  expect(await findFlaws(page)).toEqual([]);
  await banner.getByRole('button', { name: 'Copy newest code 482913' }).tap();
  await banner.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await readClipboard()).toBe('482913');
  // Gone with the message, below which the list pins it.
  await page.getByRole('button', { name: 'Back' }).tap();
  await page.locator('.code-bar.is-pinned').waitFor();
  expect(await banner.count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('closes a sheet by the back button, and the message by the next', async () => {
  const { page, faults } = await openWithMail();
  await page.getByRole('link', { name: /Brook Bank/ }).tap();
  await page.locator('.message-title').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.message-title').isVisible()).toBe(true);
  await page.goBack();
  await page.getByRole('link', { name: /Nora/ }).waitFor();
  // Closed by its own button, it leaves no history entry behind.
  await page.getByRole('button', { name: 'Settings' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Keyboard shortcuts' }).tap();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('button', { name: 'Close' }).tap();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Brook Bank/ }).tap();
  await page.locator('.message-title').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /Nora/ }).waitFor();
  expect(page.url()).toBe(app.service.url);
  expect(faults).toEqual(noFaults);
});

it('keeps Back for the message after its images were loaded', async () => {
  const { page } = await openWithMail();
  await page.getByRole('link', { name: /Brook Bank/ }).tap();
  await page.locator('iframe').contentFrame().getByRole('heading', { name: 'Confirm it is you' }).waitFor();
  const before = await page.evaluate('history.length');
  await page.getByRole('button', { name: 'Load images' }).tap();
  await expect.poll(() => page.locator('iframe').getAttribute('src')).toContain('remote=1');
  await page.locator('iframe').contentFrame().getByRole('heading', { name: 'Confirm it is you' }).waitFor();
  expect(await page.evaluate('history.length')).toBe(before);
  await page.goBack();
  await page.getByRole('link', { name: /Nora/ }).waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
});
