// The browser extension in a shop's pages, and its own.
import type { SendMailOptions } from 'nodemailer';
import type { Page } from 'playwright-core';

import { clickInside } from '../../support/page/extension-browser.ts';
import { boxesPage, codePage, fillAddress, signUpPage, untilOffered } from './extension-stage.ts';
import type { Stage, View } from './stage.ts';

const shopMail = (from: string): SendMailOptions => ({
  from: `Kite Shop <${from}>`,
  subject: 'Your code',
  text: 'Your verification code is 482913.\n',
});
const linkTo = (host: string, site = host): SendMailOptions => ({
  from: `Kite Shop <hi@${site}>`,
  subject: 'Confirm',
  html: `<a href="https://${host}/verify?token=abc123def456">Confirm your email</a>`,
});

let sites = 0;

/** Each picture has a site of its own, and so an address of its own. */
function newSite(): string {
  sites += 1;
  return `kites${sites}.test`;
}

interface Step {
  readonly body?: string;
  readonly mail?: (site: string) => SendMailOptions;
  readonly then?: (page: Page) => Promise<unknown>;
}

/** A site on which the extension has filled in an address, to which the mail comes. */
function siteView(name: string, { body = signUpPage, mail, then }: Step): View {
  return {
    name,
    show: async ({ app, look, extension }) => {
      const { openSite } = await extension();
      const site = newSite();
      const page = await openSite(look, site, body);
      const email = await fillAddress(page);
      if (mail) await app.service.send(email, mail(site));
      await then?.(page);
      return page;
    },
  };
}

async function showPopup({ app, look, extension }: Stage): Promise<Page> {
  const { openSite, openOwn } = await extension();
  const site = newSite();
  const email = await fillAddress(await openSite(look, site, signUpPage));
  await app.service.send(email, linkTo(site));
  await app.service.send(email, shopMail(`hi@${site}`));
  const page = await openOwn(look, '#popup');
  // On a desk it is as small as its content.
  if (look.shape === 'desktop') await page.setViewportSize({ width: 360, height: 420 });
  const address = page.locator('.address', { hasText: email });
  await address.locator('.mail').nth(1).waitFor();
  return page;
}

export const extensionViews: readonly View[] = [
  {
    name: 'extension-icon',
    show: async ({ look, extension }) => {
      const { openSite } = await extension();
      const page = await openSite(look, 'icon.kites.test', signUpPage);
      await untilOffered(page, 'icon');
      return page;
    },
  },
  siteView('extension-filled', {}),
  siteView('extension-code-field', {
    body: codePage,
    mail: (site) => shopMail(`hi@${site}`),
    then: (page) => untilOffered(page, 'code'),
  }),
  siteView('extension-code-boxes', {
    body: boxesPage,
    mail: (site) => shopMail(`hi@${site}`),
    then: (page) => untilOffered(page, 'code'),
  }),
  siteView('extension-toast', {
    mail: (site) => shopMail(`hi@${site}`),
    then: (page) => untilOffered(page, 'code'),
  }),
  siteView('extension-other-sender', {
    body: codePage,
    mail: () => shopMail('no-reply@k1tes.example'),
    then: (page) => untilOffered(page, 'sender'),
  }),
  siteView('extension-link', {
    mail: (site) => linkTo(site),
    then: (page) => untilOffered(page, 'link'),
  }),
  siteView('extension-other-link', {
    mail: (site) => linkTo('click.tracker.example', site),
    then: async (page) => {
      await clickInside(page, 'link');
      await untilOffered(page, 'is-asking');
    },
  }),
  { name: 'extension-popup', show: showPopup },
  {
    name: 'extension-options',
    show: async ({ look, extension }) => {
      const page = await (await extension()).openOwn(look, '');
      await page.locator('form').waitFor();
      return page;
    },
  },
];
