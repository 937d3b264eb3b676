// The page of `mayfly dev`, for testers.
import type { Page } from 'playwright-core';

import { testMails } from './mails.ts';
import { openDevPage, readMail, type Stage, type View } from './stage.ts';

const order = /Order 5521/;

function devView(
  name: string,
  show: (page: Page, stage: Stage) => Promise<unknown>,
  mails = testMails,
): View {
  return {
    name,
    show: async (stage) => {
      const { page } = await openDevPage(stage, mails);
      await show(page, stage);
      return page;
    },
  };
}

function widthView(name: string, button: string): View {
  return devView(name, async (page) => {
    await readMail(page, order);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.locator('.frame-option[aria-pressed=true]', { hasText: button }).waitFor();
    await page.locator('.frame-tools').scrollIntoViewIfNeeded();
  });
}

export const devViews: readonly View[] = [
  {
    name: 'dev-empty',
    show: async (stage) => {
      const { page } = await openDevPage(stage, []);
      await page.getByText('Send to any address').waitFor();
      return page;
    },
  },
  devView('dev-recipients', (page) => page.locator('.row-to').first().waitFor()),
  devView('dev-filtered', async (page) => {
    await page.locator('.recipients select').selectOption({ index: 1 });
    await page.locator('.row').nth(2).waitFor({ state: 'detached' });
  }),
  devView('dev-envelope', async (page) => {
    await readMail(page, order);
    await page.locator('.facts').getByText('audit@shop.example', { exact: true }).waitFor();
  }),
  widthView('dev-width-320', '320 px'),
  widthView('dev-width-600', '600 px'),
  widthView('dev-width-full', 'Full width'),
  devView('dev-source', async (page) => {
    await readMail(page, order);
    await page.getByRole('tab', { name: 'HTML', exact: true }).click();
    await page.getByText('It is on its way').last().waitFor();
  }),
  devView('dev-link', async (page) => {
    await readMail(page, order);
    await page.getByRole('button', { name: 'Copy link to this message' }).click();
    await page.getByText('Link copied').waitFor();
  }),
  {
    name: 'dev-workers',
    show: async (stage) => {
      const { page } = await openDevPage(stage, [
        ...testMails,
        ...['worker-1', 'worker-2'].map((worker) => ({ ...testMails[0], worker })),
      ]);
      if (stage.isPhone) await page.locator('.sheet-button').click();
      await page.locator('.address-entry').nth(2).waitFor();
      return page;
    },
  },
];
