// One mail, and the pages beside the page.
import { attachmentMail, codeMail } from '../../support/page/app-mails.ts';
import {
  doubtfulMail,
  eventMail,
  foldedText,
  letters,
  newsletter,
  parcelMail,
  plainMail,
  signInMail,
} from './mails.ts';
import { pageView, readMail, type View } from './stage.ts';

export const mailViews: readonly View[] = [
  {
    name: 'message',
    show: pageView({ mails: [...letters, codeMail] }, ({ page }) => readMail(page, /Brook Bank/)),
  },
  {
    name: 'message-dark',
    schemes: ['dark'],
    show: pageView({ mails: [codeMail] }, async ({ page }) => {
      await readMail(page, /Brook Bank/);
      await page.getByRole('button', { name: 'Show dark' }).click();
      await page.getByRole('button', { name: 'Show as sent' }).waitFor();
    }),
  },
  ...(['Text', 'Headers', 'Raw'] as const).map((tab): View => ({
    name: `message-${tab.toLowerCase()}`,
    show: pageView({ mails: [codeMail] }, async ({ page }) => {
      await readMail(page, /Brook Bank/);
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await page.locator('[role=tabpanel]:visible').waitFor();
    }),
  })),
  { name: 'plain', show: pageView({ mails: [plainMail] }, ({ page }) => readMail(page, /lunch/)) },
  {
    name: 'plain-unfolded',
    show: pageView({ mails: [plainMail] }, async ({ page }) => {
      await readMail(page, /lunch/);
      const mail = page.locator('iframe').contentFrame();
      for (const handle of await mail.getByLabel('Show or hide quoted text').all()) await handle.click();
      await mail.getByText('Lunch tomorrow?').waitFor();
    }),
  },
  {
    name: 'folded-text',
    show: pageView({ mails: [foldedText] }, async ({ page }) => {
      await page.getByRole('link', { name: /Saturday/ }).click();
      await page.getByTestId('text').getByText('Gladly.').waitFor();
    }),
  },
  {
    name: 'newsletter',
    show: pageView({ mails: [newsletter] }, async ({ page, stage }) => {
      await readMail(page, /Lisbon/);
      if (stage.isPhone) await page.getByRole('button', { name: 'Readable' }).waitFor();
    }),
  },
  {
    name: 'newsletter-fit',
    shapes: ['phone'],
    show: pageView({ mails: [newsletter] }, async ({ page }) => {
      await readMail(page, /Lisbon/);
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
    }),
  },
  {
    name: 'attachments',
    show: pageView({ mails: [attachmentMail] }, async ({ page }) => {
      await page.getByRole('link', { name: /Nora/ }).click();
      await page.getByText('tickets.pdf').waitFor();
    }),
  },
  {
    name: 'event',
    show: pageView({ mails: [eventMail] }, async ({ page }) => {
      await page.getByRole('link', { name: /Invitation/ }).click();
      await page.getByText('Walk through the harbour').first().waitFor();
    }),
  },
  { name: 'sign-in', show: pageView({ mails: [signInMail] }, ({ page }) => readMail(page, /Slate/)) },
  {
    name: 'parcel',
    show: pageView({ mails: [parcelMail] }, async ({ page, stage }) => {
      if (stage.isPhone) await page.getByRole('link', { name: /Parcel Point/ }).click();
      await page.getByText('Your pickup code').waitFor();
    }),
  },
  {
    name: 'doubtful-link',
    show: pageView({ mails: [doubtfulMail] }, async ({ page }) => {
      await readMail(page, /account/);
      await page.locator('iframe').contentFrame().getByRole('link').click();
      await page.getByRole('dialog').waitFor();
    }),
  },
  {
    name: 'print',
    show: pageView({ mails: [...letters, eventMail, codeMail] }, async ({ page }) => {
      await readMail(page, /Brook Bank/);
      await page.emulateMedia({ media: 'print' });
    }),
  },
];

export const otherPages: readonly View[] = [
  {
    name: 'docs',
    show: pageView({}, async ({ page, stage }) => {
      await page.goto(`${stage.app.service.url}docs`);
      await page.locator('[data-filled]:visible').waitFor();
    }),
  },
  {
    name: 'docs-try',
    show: pageView({}, async ({ page, stage }) => {
      await page.goto(`${stage.app.service.url}docs`);
      await page.getByRole('button', { name: 'Get a session to try with' }).click();
      await page.getByText('is yours to try').waitFor();
      const section = page.locator('#checkMail');
      await section.getByText('Try it').click();
      await section.getByRole('button', { name: 'Run' }).click();
      await section.locator('.try pre').waitFor();
      await section.scrollIntoViewIfNeeded();
      await section
        .getByRole('button', { name: 'Run' })
        .evaluate('(button) => button.scrollIntoView({ block: "center" })');
    }),
  },
  {
    name: 'unknown-path',
    show: pageView({}, async ({ page, stage }) => {
      await page.goto(`${stage.app.service.url}nothing/here`);
      await page.getByRole('heading', { name: 'There’s nothing here' }).waitFor();
    }),
  },
];
