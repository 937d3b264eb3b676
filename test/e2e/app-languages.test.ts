// The page in its languages: nothing overflows a phone's width, and right-to-left layouts are mirrored.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { arabicMail, codeMail } from '../support/page/app-mails.ts';
import { closeDialog, desktop, noFaults, phone, readAddress } from '../support/page/app-page.ts';

/** Requested tag → a word on the first view. */
const words = {
  'en-GB': 'Listening. Mail shows here at once.',
  'de-CH': 'Empfangsbereit. Nachrichten erscheinen hier sofort.',
  'fr-CA': 'À l’écoute. Le courrier s’affiche ici aussitôt.',
  'es-MX': 'A la escucha. El correo aparece aquí al instante.',
  'pt-BR': 'À escuta. As mensagens aparecem aqui na hora.',
  'ru-RU': 'Ждём письма. Они появляются здесь сразу.',
  'zh-CN': '正在接收。邮件会立即显示在这里。',
  'ja-JP': '受信中です。メールはすぐここに表示されます。',
  'ar-EG': 'جاهز للاستقبال. تظهر الرسائل هنا فورًا.',
  'hi-IN': 'तैयार। मेल यहाँ तुरंत दिखती है।',
} as const;

const app = useApp();

async function open(locale: string, shape: typeof desktop): Promise<OpenedApp> {
  const opened = await app.openPage({ ...shape, locale });
  return { ...opened, email: await readAddress(opened.page) };
}

/** Lists elements whose box extends beyond the window, except within scrolled or hidden ones. */
const listOverflowing = `(() => {
  const width = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own < 2 || (left >= -1 && right <= width + 1)) return false;
    for (let at = element; at; at = at.parentElement) {
      const { overflowX, position, clipPath } = getComputedStyle(at);
      if (clipPath !== 'none' || (at !== element && overflowX !== 'visible') || position === 'fixed') return false;
    }
    return true;
  });
  const page = document.documentElement.scrollWidth > width ? ['page of ' + document.documentElement.scrollWidth] : [];
  return [...page, ...wide.map((element) => element.outerHTML.slice(0, 120))];
})()`;

async function expectFits(page: Page, view: string): Promise<void> {
  expect({ view, outside: await page.evaluate(listOverflowing) }).toEqual({ view, outside: [] });
}

it.each(Object.entries(words))('is translated to %s and fits a phone', async (locale, word) => {
  const { page, faults, email } = await open(locale, phone);
  await page.getByText(word).waitFor();
  const [language = ''] = locale.split('-');
  expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual([
    language,
    language === 'ar' ? 'rtl' : 'ltr',
  ]);
  await expectFits(page, 'empty inbox');
  await page.locator('.new-options').click();
  await page.getByRole('dialog').waitFor();
  await expectFits(page, 'new address');
  await closeDialog(page);
  await page.locator('.rail-foot button').first().click();
  await page.getByRole('dialog').waitFor();
  await expectFits(page, 'settings');
  await closeDialog(page);
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByRole('tabpanel').waitFor();
  await expectFits(page, 'message');
  expect(faults).toEqual(noFaults);
});

it('mirrors the layout in Arabic, except addresses and codes', async () => {
  const { page, faults, email } = await open('ar', desktop);
  await app.service.send(email, arabicMail);
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.getByRole('tabpanel').waitFor();
  const middle = Number(await page.evaluate('innerWidth')) / 2;
  const centre = async (selector: string): Promise<number> => {
    const box = await page.locator(selector).first().boundingBox();
    return (box?.x ?? NaN) + (box?.width ?? NaN) / 2;
  };
  expect(await centre('.brand')).toBeGreaterThan(middle);
  expect(await centre('.toolbar button >> nth=-1')).toBeLessThan(middle);
  expect(await centre('.row')).toBeGreaterThan(await centre('.reader'));
  const directions = `['[data-testid=address]', '.row-subject'].map((selector) =>
    [...document.querySelectorAll(selector)].map((element) => getComputedStyle(element).direction))`;
  // Newest first: the English message, then the Arabic one.
  expect(await page.evaluate(directions)).toEqual([['ltr'], ['ltr', 'rtl']]);
  await expectFits(page, 'message');
  expect(faults).toEqual(noFaults);
});

it('changes the language at once and keeps it, dates and numbers included', async () => {
  const { page, faults } = await open('en-US', desktop);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ru');
  await page.getByText(words['ru-RU']).waitFor({ state: 'attached' });
  await page.reload();
  await page.getByText(words['ru-RU']).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('ru');
  expect(faults).toEqual(noFaults);
});
