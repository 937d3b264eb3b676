// The framed document against the sender's own page in Chromium: the same height and the same pixels, with remote
// content blocked on both sides.
import { createTransport } from 'nodemailer';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { newsletterMails, type NewsletterMail } from '../support/mail/newsletter-mails.ts';

const viewport = { width: 800, height: 600 };
const most = { pixels: 0.01, height: 2 };
const originalOrigin = 'http://original.test';

const chromium = useBrowser();
let mayfly: MayflyProcess;
let removeFolder: () => Promise<void>;

beforeAll(async () => {
  const folder = await createDataFolder();
  removeFolder = () => folder.remove();
  mayfly = await startMayfly(folder.path, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LOG_LEVEL: 'error',
  });
});
afterAll(async () => {
  await mayfly.stop();
  await removeFolder();
});

/** Returns the URLs of the framed documents. */
async function deliver(mails: readonly NewsletterMail[]): Promise<string[]> {
  const { email, token } = await mayfly.lend();
  const transport = createTransport({
    host: '127.0.0.1',
    port: mayfly.smtpPort,
    ignoreTLS: true,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
  });
  const urls: string[] = [];
  for (const [i, { html }] of mails.entries()) {
    await comeAgain(() =>
      transport.sendMail({ from: 'a@sender.test', to: email, html, textEncoding: 'base64' }),
    );
    // Reading would take a number itself, so that the next mail had another id.
    const response = await mayfly.call(`/peek-mail?id=${i + 1}`, token);
    expect(response.status).toBe(200);
    const { message } = (await response.json()) as { message: { html_url: string } };
    urls.push(mayfly.origin + message.html_url);
  }
  transport.close();
  return urls;
}

/** Shows the originals at an address of their own, and blocks everything else that is not ours. */
async function openContext(mails: readonly NewsletterMail[]): Promise<BrowserContext> {
  const context = await chromium.browser.newContext({ viewport, javaScriptEnabled: false });
  await context.route(
    (url) => url.origin !== mayfly.origin,
    (route) => {
      const url = new URL(route.request().url());
      const html = url.origin === originalOrigin ? mails[Number(url.pathname.slice(1))]?.html : undefined;
      return html === undefined
        ? route.abort('blockedbyclient')
        : route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    },
  );
  return context;
}

function crop({ width, data }: PNG, height: number): Uint8Array {
  return data.subarray(0, width * height * 4);
}

function compare(name: string, one: PNG, other: PNG): { name: string; height: number; pixels: number } {
  const height = Math.min(one.height, other.height);
  const different = pixelmatch(crop(one, height), crop(other, height), undefined, one.width, height);
  return { name, height: Math.abs(one.height - other.height), pixels: different / (one.width * height) };
}

it('lays out mails as their senders wrote them', { timeout: 240_000 }, async () => {
  const mails = newsletterMails();
  expect(mails).toHaveLength(60);
  const urls = await deliver(mails);
  const context = await openContext(mails);
  const page = await context.newPage();
  const take = async (url: string): Promise<PNG> => {
    await page.goto(url, { waitUntil: 'load' });
    return PNG.sync.read(await page.screenshot({ fullPage: true }));
  };
  const different = [];
  for (const [at, { name }] of mails.entries()) {
    const found = compare(name, await take(`${originalOrigin}/${at}`), await take(urls[at] ?? ''));
    if (found.height > most.height || found.pixels > most.pixels) different.push(found);
  }
  await context.close();
  expect(different).toEqual([]);
});
