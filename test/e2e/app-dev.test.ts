// The single address of `mayfly dev` in a browser: the inbox of all mail, without a prompt.
import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { useBrowser } from '../support/page/app-fixture.ts';
import { noFaults, openAppPage, readAddress } from '../support/page/app-page.ts';
import { freePort } from '../support/servers/free-port.ts';
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
  // With one address the rail is folded.
  expect(await page.locator('.address-entry').count()).toBe(0);
  expect(await readAddress(page)).toBe(place);
  expect(faults).toEqual(noFaults);
});

it('has a column of recipients, and shows envelope, widths and source of a mail', async () => {
  const { page, faults, mayfly } = await openRoot();
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  await comeAgain(() =>
    transport.sendMail({
      from: 'app@shop.example',
      to: 'ann@a.example',
      cc: 'carl@a.example',
      bcc: 'blind@a.example',
      subject: 'To three',
      html: '<p class="own">Words</p>',
    }),
  );
  await page.getByRole('link', { name: /To three/ }).click();
  expect(await page.locator('.row-to').innerText()).toContain('ann@a.example');
  const facts = page.locator('.facts');
  await facts.getByText('blind@a.example', { exact: true }).waitFor();
  await facts.getByText('app@shop.example → ann@a.example, carl@a.example, blind@a.example').waitFor();
  const frame = page.locator('iframe');
  await page.getByRole('button', { name: '320 px' }).click();
  await expect.poll(async () => (await frame.boundingBox())?.width).toBe(320);
  await page.getByRole('button', { name: 'Full width' }).click();
  await expect.poll(async () => (await frame.boundingBox())?.width ?? 0).toBeGreaterThan(400);
  await page.getByRole('tab', { name: 'HTML', exact: true }).click();
  await page.getByText('<p class="own">Words</p>').waitFor();
  expect(faults).toEqual(noFaults);
});

it('links to one message', async () => {
  const { page, faults, send, readClipboard, context } = await openRoot();
  await send('ann@a.example', 'First');
  await send('ann@a.example', 'Second');
  await page.getByRole('link', { name: /First/ }).click();
  await page.getByRole('button', { name: 'Copy link to this message' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await readClipboard();
  const other = await context.browser()?.newContext();
  const fresh = await other?.newPage();
  await fresh?.goto(link);
  await fresh?.getByRole('heading', { name: 'First' }).waitFor();
  await other?.close();
  expect(faults).toEqual(noFaults);
});

it('shows the inboxes of workers as they log in', async () => {
  const { page, faults, mayfly } = await openRoot();
  const transport = createTransport({
    host: '127.0.0.1',
    port: mayfly.smtpPort,
    ignoreTLS: true,
    auth: { user: 'worker-3', pass: 'any' },
  });
  await comeAgain(() =>
    transport.sendMail({ from: 'a@a.example', to: 'b@b.example', subject: 'Of worker 3', text: 'x' }),
  );
  const rail = page.getByRole('navigation', { name: 'Your addresses' });
  await rail.getByRole('button', { name: /worker-3/ }).click();
  await page.getByRole('link', { name: /Of worker 3/ }).waitFor();
  await comeAgain(() =>
    transport.sendMail({ from: 'a@a.example', to: 'b@b.example', subject: 'Again', text: 'x' }),
  );
  await page.getByRole('link', { name: /Again/ }).waitFor();
  expect(await page.locator('.own-label').innerText()).toBe('worker-3');
  expect(faults).toEqual(noFaults);
});

it('follows a new run at the same ports by itself, with nothing of the run before', async () => {
  const words = ['--smtp-port', String(await freePort()), '--http-port', String(await freePort())];
  const first = await startDev({ words });
  const origin = rootOf(first);
  const { page, close } = await openAppPage(chromium.browser, { origin, url: `${origin}/` });
  onTestFinished(close);
  const send = (subject: string): Promise<unknown> =>
    createTransport({ host: '127.0.0.1', port: first.smtpPort, ignoreTLS: true }).sendMail({
      from: 'app@shop.example',
      to: 'ann@a.example',
      subject,
      text: subject,
    });
  await send('Of the first run');
  await page.getByRole('link', { name: /Of the first run/ }).waitFor();
  await first.stop();
  await startDev({ words });
  await page.getByText('Send to any address').waitFor();
  await send('Of the second run');
  await page.getByRole('link', { name: /Of the second run/ }).waitFor();
  expect(await page.getByText('Of the first run').count()).toBe(0);
  // With one address the rail is folded.
  expect(await page.locator('.address-entry').count()).toBe(0);
});

it('still asks before a link opens another inbox', async () => {
  const { page, faults, mayfly, origin } = await openRoot();
  await page.getByText('Send to any address').waitFor();
  const { token } = await mayfly.lend();
  await page.goto(`${origin}/mayfly/#share=${token}`);
  await page.getByRole('dialog', { name: 'Open a shared inbox?' }).waitFor();
  expect(faults).toEqual(noFaults);
});
