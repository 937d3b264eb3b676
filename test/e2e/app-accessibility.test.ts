// axe-core on every view of the page: WCAG 2.2 A and AA and its best practices, without exception. In the dark theme,
// which has the same elements, only the rules of colours.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { checkAccessibility, colourRules } from '../support/page/app-accessibility.ts';
import { useApp } from '../support/page/app-fixture.ts';
import { attachmentMail, codeMail, linkMail } from '../support/page/app-mails.ts';
import {
  chooseInMenu,
  closeDialog,
  desktop,
  noFaults,
  openDialog,
  openMenu,
  phone,
  readAddress,
} from '../support/page/app-page.ts';

const app = useApp();

const settings = /^Settings$/;
const dialogs = [
  { view: 'create', button: /^Choose name, domain and time$/ },
  { view: 'settings', button: settings },
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  const rules = colorScheme === 'dark' ? colourRules : undefined;
  const expectAccessible = async (page: Page, view: string): Promise<void> => {
    expect({ view, violations: await checkAccessibility(page, rules) }).toEqual({ view, violations: [] });
  };

  describe(`in the ${colorScheme} theme`, () => {
    it('has no fault in the inbox and its dialogs', async () => {
      const { page, faults, email } = await app.open({ ...desktop, colorScheme });
      await page.getByText('Listening. Mail shows here at once.').waitFor();
      await expectAccessible(page, 'empty inbox');
      for (const { view, button } of dialogs) {
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        await expectAccessible(page, view);
        await closeDialog(page);
      }
      await openMenu(page);
      await expectAccessible(page, 'menu');
      await page.keyboard.press('Escape');
      for (const name of ['QR code', 'Label', 'Deliveries', 'End address']) {
        await chooseInMenu(page, name);
        await page.getByRole('dialog').waitFor();
        if (name === 'QR code') await page.locator('.qr-code').waitFor();
        await expectAccessible(page, name);
        await closeDialog(page);
      }
      await openDialog(page, '?');
      await expectAccessible(page, 'shortcuts');
      await closeDialog(page);
      await app.service.send(email, codeMail);
      await page.getByRole('link', { name: /Brook Bank/ }).waitFor();
      await expectAccessible(page, 'inbox with a code');
      await app.service.send(email, linkMail);
      await page.getByRole('button', { name: 'Select messages' }).click();
      await page.getByRole('checkbox', { name: /Brook Bank/ }).check();
      await expectAccessible(page, 'selecting');
      expect(faults).toEqual(noFaults);
    });

    it('has no fault in a message, however it is shown', async () => {
      const { page, faults, email } = await app.open({ ...desktop, colorScheme });
      for (const mail of [linkMail, attachmentMail, codeMail]) await app.service.send(email, mail);
      await page.getByRole('link', { name: /Brook Bank/ }).click();
      for (const tab of ['Message', 'Text', 'Headers', 'Raw']) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        await page.getByRole('tabpanel').waitFor();
        await expectAccessible(page, `message as ${tab}`);
      }
      for (const sender of [/Paper Kites/, /Nora/]) {
        await page.getByRole('link', { name: sender }).click();
        await page.getByRole('heading', { level: 2 }).first().waitFor();
        await expectAccessible(page, `message of ${sender.source}`);
      }
      await page.keyboard.press('d');
      await page.getByText('Message deleted').waitFor();
      await expectAccessible(page, 'undo');
      expect(faults).toEqual(noFaults);
    });

    it('has no fault on a phone', async () => {
      const { page, faults, email } = await app.open({ ...phone, colorScheme });
      await app.service.send(email, codeMail);
      await page.getByRole('link', { name: /Brook Bank/ }).waitFor();
      await expectAccessible(page, 'inbox');
      await page.getByRole('link', { name: /Brook Bank/ }).click();
      await page.getByRole('tabpanel').waitFor();
      await expectAccessible(page, 'message');
      expect(faults).toEqual(noFaults);
    });

    it('has no fault when the address has ended or everything is forgotten', async () => {
      const { page, faults } = await app.openPage({ ...desktop, colorScheme });
      await readAddress(page);
      const token = String(
        await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"),
      );
      await fetch(`${app.service.url}end-session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      await page.getByText('This address has ended').waitFor();
      await expectAccessible(page, 'ended');
      await page.getByRole('button', { name: settings }).click();
      await page.getByRole('button', { name: 'Forget everything' }).click();
      await page.getByRole('alert').filter({ hasText: 'Forget everything?' }).waitFor();
      await expectAccessible(page, 'asked');
      await page.getByRole('button', { name: 'Forget everything' }).click();
      await page.getByText('Everything is forgotten').waitFor();
      await expectAccessible(page, 'forgotten');
      expect(faults).toEqual(noFaults);
    });

    it('has no fault in the documentation', async () => {
      const { page, faults } = await app.openPage({ ...desktop, colorScheme });
      await readAddress(page);
      await page.goto(`${app.service.url}docs`);
      await page.getByText('The examples hold the token').waitFor();
      await expectAccessible(page, 'docs');
      expect(faults).toEqual(noFaults);
    });
  });
}
