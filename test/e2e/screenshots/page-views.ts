// The page around mail: addresses, list, search, settings.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

import { codeMail } from '../../support/page/app-mails.ts';
import { chooseInMenu, openDialog } from '../../support/page/app-page.ts';
import { letters, longMail, manyMails } from './mails.ts';
import { pageView, type View } from './stage.ts';

const listening = (page: Page): Promise<void> =>
  page.getByText('Listening. Mail shows here at once.').waitFor();
const dialog = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

const longName = 'letters_of_the_society.for_long_walks';
const aMinuteMs = 61_000;

/** Moves a finger over the row and leaves it there. */
async function drag(page: Page, name: RegExp, by: number): Promise<void> {
  const box = await page.getByRole('listitem').filter({ hasText: name }).boundingBox();
  if (!box) throw new Error('The row is not there.');
  const [x, y] = [box.x + box.width / 2 - by / 2, box.y + box.height / 2];
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (const share of [0.2, 0.5, 0.99, 1]) {
    if (share === 1) await sleep(100);
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: x + by * share, y }],
    });
  }
  await page.locator('.row.is-swiped').waitFor();
}

const emptyViews: readonly View[] = [
  { name: 'empty', show: pageView({}, ({ page }) => listening(page)) },
  {
    name: 'empty-late',
    show: pageView({ hasOwnClock: true }, async ({ page }) => {
      await listening(page);
      await page.clock.fastForward(aMinuteMs);
      await page.locator('.empty-why summary').click();
    }),
  },
  {
    name: 'new-address',
    show: pageView({}, async ({ page, email, stage }) => {
      await page.getByRole('button', { name: 'New address', exact: true }).click();
      await page.getByTestId('address').filter({ hasNotText: email }).waitFor();
      if (!stage.isPhone) await page.locator('.address-entry').nth(1).waitFor();
    }),
  },
  {
    name: 'create',
    show: pageView({}, async ({ page }) => {
      await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
      await dialog(page);
    }),
  },
  {
    name: 'long-name',
    show: pageView({ prefix: longName, mails: [longMail] }, ({ page }) =>
      page.getByRole('link', { name: /Bureau/ }).click(),
    ),
  },
];

const listViews: readonly View[] = [
  { name: 'inbox', show: pageView({ mails: manyMails }) },
  {
    // On a desk its mail opens by itself; on a phone it is pinned above the list.
    name: 'code',
    show: pageView({ mails: [...letters, codeMail] }, async ({ page, stage }) => {
      await page
        .locator(stage.isPhone ? '.code-bar.is-pinned' : '.reader .code')
        .first()
        .waitFor();
      await page.waitForFunction("document.title.startsWith('482 913 ·')");
    }),
  },
  {
    name: 'code-while-reading',
    show: pageView({ mails: letters }, async ({ page, send, stage }) => {
      await page.getByRole('link', { name: /Tickets/ }).click();
      await page.getByTestId('text').getByText('See you at seven').waitFor();
      await send(codeMail);
      // On a desk the list beside it has the code.
      await page.locator(stage.isPhone ? '.code-banner' : '.code-bar.is-pinned').waitFor();
    }),
  },
  {
    name: 'search',
    show: pageView({ mails: [...letters, codeMail] }, async ({ page }) => {
      await page.getByRole('searchbox').fill('from:nora saturday');
      await page.locator('.row mark').first().waitFor();
    }),
  },
  {
    name: 'search-chips',
    show: pageView({ mails: manyMails }, async ({ page }) => {
      await page.getByRole('searchbox').focus();
      await page.getByRole('button', { name: 'With a code' }).click();
      await page.locator('.chip[aria-pressed=true]').waitFor();
    }),
  },
  {
    name: 'search-nothing',
    show: pageView({ mails: letters }, async ({ page }) => {
      await page.getByRole('searchbox').fill('has:attachment penguins');
      await page.locator('.search-none').waitFor();
    }),
  },
  {
    name: 'selecting',
    show: pageView({ mails: letters }, async ({ page }) => {
      await page.getByRole('button', { name: 'Select messages' }).click();
      await page.getByRole('checkbox', { name: /receipt/ }).check();
    }),
  },
  {
    name: 'focused-row',
    shapes: ['desktop'],
    show: pageView({ mails: letters }, async ({ page }) => {
      await page.keyboard.press('j');
      await page.keyboard.press('ArrowDown');
      await page.locator('.row-link:focus').waitFor();
    }),
  },
  {
    name: 'swipe-delete',
    shapes: ['phone'],
    show: pageView({ mails: letters }, ({ page }) => drag(page, /receipt/, -200)),
  },
  {
    name: 'swipe-read',
    shapes: ['phone'],
    show: pageView({ mails: letters }, ({ page }) => drag(page, /receipt/, 200)),
  },
  {
    name: 'undo',
    show: pageView({ mails: letters }, async ({ page }) => {
      await page.getByRole('link', { name: /receipt/ }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('Message deleted').waitFor();
      await page.getByRole('button', { name: 'Undo' }).focus();
    }),
  },
  {
    name: 'addresses',
    show: pageView({ others: 2, mails: [codeMail] }, async ({ page, stage }) => {
      if (!stage.isPhone) return;
      await page.locator('.sheet-button').click();
      await dialog(page);
    }),
  },
  {
    name: 'addresses-searched',
    show: pageView({ others: 6, mails: letters }, async ({ page, stage }) => {
      if (stage.isPhone) await page.locator('.sheet-button').click();
      await page.locator('.address-search').first().waitFor();
    }),
  },
];

const endViews: readonly View[] = [
  {
    name: 'ending',
    show: pageView({ lifetime: 280, mails: letters }, ({ page }) =>
      page.getByRole('button', { name: 'Extend' }).nth(1).waitFor(),
    ),
  },
  {
    name: 'ended',
    show: pageView({ mails: letters }, async ({ page, token, stage }) => {
      if (!stage.isPhone) {
        await page.getByRole('link', { name: /Tickets/ }).click();
        await page.getByTestId('text').getByText('See you at seven').waitFor();
      }
      await endSession(stage.app.service.url, token);
      await page.getByRole('heading', { name: 'This address has ended' }).waitFor();
    }),
  },
  {
    name: 'ended-empty',
    show: pageView({}, async ({ page, token, stage }) => {
      await endSession(stage.app.service.url, token);
      await page.getByRole('heading', { name: 'This address has ended' }).waitFor();
    }),
  },
];

async function endSession(url: string, token: string): Promise<void> {
  await fetch(`${url}end-session`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

const menuDialogs = [
  ['share', 'QR code'],
  ['label', 'Label'],
  ['deliveries', 'Deliveries'],
  ['end', 'End address'],
] as const;

const dialogViews: readonly View[] = [
  ...menuDialogs.map(([name, button]): View => ({
    name,
    show: pageView({ mails: letters }, async ({ page }) => {
      await chooseInMenu(page, button);
      await dialog(page);
      if (name === 'share') await page.locator('.qr-code').waitFor();
      if (name === 'deliveries') await page.locator('.log-entry').first().waitFor();
    }),
  })),
  {
    name: 'settings',
    show: pageView({}, async ({ page }) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await dialog(page);
      // Among them what follows the person: notifications, and the code on the clipboard.
      await page.getByRole('checkbox').first().waitFor();
    }),
  },
  {
    name: 'shortcuts',
    shapes: ['desktop'],
    show: pageView({}, async ({ page }) => {
      await openDialog(page, '?');
    }),
  },
];

const languageViews: readonly View[] = [
  {
    name: 'german-times',
    show: pageView({ locale: 'de-DE', mails: manyMails }, ({ page }) => laterIn(page, /vor 2 Min/)),
  },
  {
    name: 'arabic',
    show: pageView({ locale: 'ar', mails: manyMails }, async ({ page, stage }) => {
      await laterIn(page, /./);
      if (!stage.isPhone) await page.getByRole('link', { name: /Nora/ }).click();
    }),
  },
  { name: 'arabic-empty', show: pageView({ locale: 'ar' }) },
  {
    name: 'arabic-settings',
    show: pageView({ locale: 'ar' }, async ({ page }) => {
      await page.locator('.rail-foot > button').first().click();
      await dialog(page);
    }),
  },
];

/** Lets two minutes pass for the page alone. */
async function laterIn(page: Page, words: RegExp): Promise<void> {
  await page.clock.setFixedTime(Date.now() + 130_000);
  await page.locator('.row-end').filter({ hasText: words }).first().waitFor();
}

export const pageViews: readonly View[] = [
  ...emptyViews,
  ...listViews,
  ...endViews,
  ...dialogViews,
  ...languageViews,
];
