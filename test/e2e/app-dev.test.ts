// The single address of `mayfly dev` in a browser: the inbox of all mail, without a prompt.
import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import { noFaults, openAppPage, readAddress } from '../support/page/app-page.ts';
import { rootOf, startDev } from '../support/service/dev-process.ts';

const chromium = useBrowser();

async function openRoot() {
  const mayfly = await startDev();
  const origin = rootOf(mayfly);
  const opened = await openAppPage(chromium.browser, { origin, url: `${origin}/` });
  onTestFinished(opened.close);
  const send = (to: string, subject: string): Promise<unknown> =>
    createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true }).sendMail({
      from: 'app@shop.example',
      to,
      subject,
      text: subject,
    });
  return { ...opened, mayfly, origin, send };
}

it('shows all mail at once, and how to send some', async () => {
  const { page, faults, mayfly, send, origin } = await openRoot();
  const place = `127.0.0.1:${mayfly.smtpPort}`;
  expect(await readAddress(page)).toBe(place);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByText(`Point your app at ${place}`).waitFor();
  await page.getByRole('button', { name: 'Copy SMTP server' }).click();
  await page.getByText('SMTP server copied').waitFor();
  await send('anyone@example.com', 'First');
  await page.getByRole('link', { name: /First/ }).click();
  await page.getByRole('heading', { name: 'First' }).waitFor();
  // Visited again, and reloaded, it is still the same inbox.
  await page.goto(`${origin}/`);
  await page.getByRole('link', { name: /First/ }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: /First/ }).waitFor();
  expect(await page.locator('.address-entry').count()).toBe(1);
  expect(await readAddress(page)).toBe(place);
  expect(faults).toEqual(noFaults);
});

it('still asks before a link opens another inbox', async () => {
  const { page, faults, mayfly, origin } = await openRoot();
  await page.getByText('Send to any address').waitFor();
  const { token } = await mayfly.lend();
  await page.goto(`${origin}/mayfly/#share=${token}`);
  await page.getByRole('dialog', { name: 'Open a shared inbox?' }).waitFor();
  expect(faults).toEqual(noFaults);
});
