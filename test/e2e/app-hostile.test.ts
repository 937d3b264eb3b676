// The corpus of hostile HTML, and hostile names and subjects, sent over SMTP and opened in the page itself: nothing of them
// runs, goes anywhere, opens a window or reaches another host.
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type AppService, startAppService } from '../support/app-page.ts';
import { readHtmlPayloads, runMarker } from '../support/html-payloads.ts';
import { type CanaryServer, startCanaryServer } from './canary-server.ts';
import { launchBrowser, openWatchedPage, watchRest } from './watched-browser.ts';

const script = `console.log(\`${runMarker}\`);window.__pwned=1`;
/** Where a page shows text of a message outside its frame. */
const texts = [
  `<img src=x onerror="${script}">`,
  `"><svg onload="${script}">`,
  `<script>${script}</script>`,
  `javascript:${script}`,
  `</title><img src="http://canary.test/title">`,
  `{{constructor.constructor('${script}')()}}`,
  `<iframe srcdoc="<script>${script}</script>">`,
  `\u202e<b>reversed</b>\u2066`,
];

let canary: CanaryServer;
let browser: Browser;
let service: AppService;
beforeAll(async () => {
  canary = await startCanaryServer();
  browser = await launchBrowser(canary.port);
  service = await startAppService({ MAYFLY_LIMITS_SESSION_MESSAGES: '0', MAYFLY_LIMITS_SESSION_BYTES: '0' });
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await canary.close();
});

interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments?: readonly { readonly filename: string; readonly content: string }[];
}

async function deliver(to: string, mails: readonly Mail[]): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.smtpPort,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  for (const { attachments = [], ...mail } of mails) {
    await transport.sendMail({ ...mail, to, attachments: [...attachments], textEncoding: 'base64' });
  }
  transport.close();
}

const sender = { name: 'a', address: 'a@sender.test' };
const payloads: readonly Mail[] = readHtmlPayloads().map(({ name, html }) => ({
  from: sender,
  subject: name,
  html,
  text: html,
}));
const spoken: readonly Mail[] = texts.map((text) => ({
  from: { name: text, address: 'a@sender.test' },
  subject: text,
  html: '',
  text: `${text}\nYour code is 123456`,
  attachments: [{ filename: `${text}.html`, content: script }],
}));

it('does nothing in the page, in any of its views', { timeout: 400_000 }, async () => {
  const context = await browser.newContext();
  const { page, sightings } = await openWatchedPage(context, {
    runMarker,
    isExpected: (url) =>
      url.startsWith(`${service.origin}/#`) ||
      url === service.url ||
      url.startsWith(`${service.origin}/html-mail?`) ||
      url === 'about:blank',
  });
  const rest = watchRest(page);
  await page.goto(service.url);
  const email = (await page.getByTestId('address').textContent()) ?? '';
  await deliver(email, [...spoken, ...payloads]);
  const count = spoken.length + payloads.length;
  await page.locator(`[data-id="${count}"]`).waitFor({ timeout: 120_000 });
  canary.takeHits();
  const framed = new Set<string>();
  page.on('framenavigated', (frame) => framed.add(frame.url()));
  for (let id = 1; id <= count; id++) {
    await page.evaluate(`location.hash = '#message-${id}'`);
    await page.locator('[role=tabpanel]:visible').waitFor();
    const isEachView = id <= spoken.length || id % 40 === 0;
    for (const tab of isEachView ? ['Text', 'Headers', 'Raw'] : [])
      await page.getByRole('tab', { name: tab }).click();
    await page.frames()[1]?.waitForLoadState('load');
    if (isEachView) await rest();
  }
  await rest();
  expect(await page.evaluate('[window.__pwned, document.title.includes("Mayfly"), location.origin]')).toEqual(
    [undefined, true, service.origin],
  );
  expect({ ...sightings, hits: canary.takeHits(), windows: context.pages().length }).toEqual({
    ran: [],
    went: [],
    hits: [],
    windows: 1,
  });
  // Their documents, and the page at each of them.
  expect([...framed].filter((url) => url.includes('/html-mail?')).length).toBeGreaterThan(
    0.9 * payloads.length,
  );
  expect(payloads.length).toBeGreaterThan(600);
  await context.close();
});
