// Typed text stays in its field: the list never takes the focus by itself, and a key changes something only when it
// comes from the list or the reader.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { noFaults, phone } from '../support/page/app-page.ts';

const app = useApp();
const subjects = ['Your address in Rome', 'Your address in Oslo', 'A trip to Lisbon'];

async function openWithMail(options?: Parameters<typeof app.open>[0]): Promise<OpenedApp> {
  const opened = await app.open(options);
  for (const subject of subjects) await app.service.send(opened.email, { subject, text: subject });
  await expect.poll(() => shownSubjects(opened.page)).toEqual(subjects.toReversed());
  return opened;
}

function shownSubjects(page: Page): Promise<string[]> {
  return page.locator('.row-subject').allInnerTexts();
}

function focusedName(page: Page): Promise<string> {
  return page
    .evaluate(
      'document.activeElement?.ariaLabel ?? document.activeElement?.querySelector(".row-subject")?.textContent ?? ' +
        'document.activeElement?.tagName',
    )
    .then(String);
}

/** Resolves after the page has had the time to act on what it wrongly took for a key. */
async function expectNothingDeleted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await page.getByText(/deleted/).count()).toBe(0);
}

it('leaves the focus in the search while rows go and come back', async () => {
  const { page, faults } = await openWithMail();
  const { keyboard } = page;
  await page.getByRole('link', { name: /Oslo/ }).click();
  await page.getByRole('heading', { name: 'Your address in Oslo' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Your address in Oslo' }).waitFor({ state: 'detached' });
  await keyboard.press('/');
  for (const words of ['lisbon', 'address', 'oslo', 'zzz', 'address']) {
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(words);
    expect(await page.getByRole('searchbox').inputValue()).toBe(words);
    expect(await focusedName(page)).toBe('Search messages');
  }
  await expectNothingDeleted(page);
  expect(faults).toEqual(noFaults);
});

it('leaves the focus in a filter, and in the search of a phone', async () => {
  const { page, faults } = await openWithMail(phone);
  await page.getByRole('link', { name: /Oslo/ }).click();
  await page.getByRole('heading', { name: 'Your address in Oslo' }).waitFor();
  await page.goBack();
  const search = page.getByRole('searchbox');
  await search.click();
  for (const words of ['lisbon', 'address', 'zzz', 'address']) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(words);
    expect(await search.inputValue()).toBe(words);
  }
  await expectNothingDeleted(page);
  // While several are being selected, each row holds a box instead of its link.
  await search.fill('');
  await page.getByRole('button', { name: 'Select messages' }).click();
  await page.getByRole('checkbox', { name: /Oslo/ }).check();
  await search.click();
  for (const words of ['lisbon', 'address']) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(words);
    expect(await search.inputValue()).toBe(words);
  }
  await expectNothingDeleted(page);
  expect(faults).toEqual(noFaults);
});

it('leaves the focus in the search when a message opened before has been read at last', async () => {
  const { page, faults } = await openWithMail();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/(?:read|peek)-mail/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: /Oslo/ }).click();
  await page.getByRole('searchbox').click();
  await page.keyboard.type('add');
  release();
  await page.getByTestId('text').getByText('Your address in Oslo').waitFor();
  await page.keyboard.type('ress');
  expect(await page.getByRole('searchbox').inputValue()).toBe('address');
  await expectNothingDeleted(page);
  expect(faults).toEqual(noFaults);
});

it('takes no changing key from outside of the list and the reader, nor one that is held down', async () => {
  const { page, faults } = await openWithMail();
  const { keyboard } = page;
  await keyboard.press('j');
  await expect.poll(() => focusedName(page)).toBe('A trip to Lisbon');
  const places = ['document.activeElement.blur()', 'document.querySelector(".rail-button").focus()'];
  for (const place of places) {
    await page.evaluate(place);
    for (const key of ['d', 'm', 'x', 'J', 'K', 'Enter']) await page.evaluate(pressAtFocus(key));
    await expectNothingDeleted(page);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.locator('.row.is-unread').count()).toBe(3);
    expect(await page.getByTestId('text').count()).toBe(0);
  }
  await page.getByRole('link', { name: /Lisbon/ }).focus();
  await keyboard.down('d');
  for (let time = 0; time < 5; time++) await keyboard.down('d');
  await keyboard.up('d');
  await page.getByText('Message deleted').waitFor();
  expect(await shownSubjects(page)).toHaveLength(2);
  // A click into the text of a message makes its keys count.
  await page.getByRole('link', { name: /Oslo/ }).click();
  await page.getByTestId('text').click();
  await keyboard.press('d');
  await expect.poll(() => shownSubjects(page)).toEqual(['Your address in Rome']);
  expect(faults).toEqual(noFaults);
});

/** At an element itself, since the browser would press a focused button for Enter. */
function pressAtFocus(key: string): string {
  return `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`;
}

it('takes no key from a field of any kind', async () => {
  const { page, faults } = await openWithMail();
  await page.keyboard.press('j');
  for (const [tag, attribute, value] of [
    ['select', 'class', ''],
    ['textarea', 'class', ''],
    ['p', 'contenteditable', ''],
    ['p', 'contenteditable', 'plaintext-only'],
    ['input', 'type', 'date'],
    ['input', 'role', 'textbox'],
  ]) {
    await page.evaluate(`{
      const field = document.createElement('${tag}');
      field.setAttribute('${attribute}', '${value}');
      const inner = field.appendChild(document.createElement('b'));
      document.querySelector('.list').append(field);
      for (const target of [field, inner]) {
        for (const key of ['d', 'm', 'x']) {
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, isComposing: true }));
        }
      }
      field.remove();
    }`);
  }
  await expectNothingDeleted(page);
  expect(await page.locator('.row.is-unread').count()).toBe(3);
  expect(faults).toEqual(noFaults);
});
