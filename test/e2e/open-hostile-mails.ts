// Sends hostile mail over SMTP, opens it in the page itself and reports the outcome. For the tests of a part of the
// corpus and of all of it.
import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

import { type AppService, readAddress, useAppService } from '../support/page/app-page.ts';
import { type HtmlPayload, runMarker } from '../../packages/mail-reader/test/support/html-payloads.ts';
import { type CanaryServer, startCanaryServer } from './canary-server.ts';
import { useMortalBrowser } from './mortal-browser.ts';
import { openWatchedPage, type Sightings, watchRest } from './watched-browser.ts';
import { comeAgain } from '../support/faults/come-again.ts';

const script = `console.log(\`${runMarker}\`);window.__pwned=1`;
/** The places where a page shows text of a message outside its frame. */
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

interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments?: readonly { readonly filename: string; readonly content: string }[];
}

const sender = { name: 'a', address: 'a@sender.test' };
const textMails: readonly Mail[] = texts.map((text) => ({
  from: { name: text, address: 'a@sender.test' },
  subject: text,
  html: '',
  text: `${text}\nYour code is 123456`,
  attachments: [{ filename: `${text}.html`, content: script }],
}));

async function deliver(port: number, to: string, mails: readonly Mail[]): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  for (const { attachments = [], ...mail } of mails) {
    await comeAgain(() =>
      transport.sendMail({ ...mail, to, attachments: [...attachments], textEncoding: 'base64' }),
    );
  }
  transport.close();
}

/** Forbidden effects of messages, and what was shown. */
export interface Outcome extends Sightings {
  /** Requests that reached other hosts. */
  readonly hits: readonly string[];
  readonly windows: number;
  /** Left by scripts in the page. */
  readonly traces: unknown;
  /** Documents of messages loaded into the frame. */
  readonly framed: number;
}

/** For `expect(outcome).toMatchObject(nothing)`. */
export const nothing = { ran: [], went: [], hits: [], windows: 1, traces: null };

/** Sends each payload as a separate message, after messages with hostile names, subjects and files. */
export async function openHostileMails(payloads: readonly HtmlPayload[]): Promise<Outcome> {
  const canary = await startCanaryServer();
  onTestFinished(() => canary.close());
  const service = await useAppService({
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LIMITS_SESSION_BYTES: '0',
  });
  const mails = [...textMails, ...payloads.map(toMail)];
  const names = payloads.map(({ name }) => name);
  return useMortalBrowser(canary.port).show(names, (browser) => openIn(browser, { canary, service, mails }));
}

interface Surroundings {
  readonly canary: CanaryServer;
  readonly service: AppService;
  readonly mails: readonly Mail[];
}

async function openIn(browser: Browser, { canary, service, mails }: Surroundings): Promise<Outcome> {
  const context = await browser.newContext();
  const isExpected = (url: string): boolean =>
    [service.url, 'about:blank'].includes(url) ||
    url.startsWith(`${service.url}#`) ||
    url.startsWith(`${service.origin}/html-mail?`);
  const { page, sightings } = await openWatchedPage(context, { runMarker, isExpected });
  const framed = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame.parentFrame()) framed.add(frame.url());
  });
  await page.goto(service.url);
  const email = await readAddress(page);
  // One with a code opens by itself on its arrival.
  canary.takeHits();
  await deliver(service.smtpPort, email, mails);
  await page
    .locator('[data-id]')
    .nth(mails.length - 1)
    .waitFor({ state: 'attached', timeout: 120_000 });
  await openEach(page, await listIds(page));
  return {
    ...sightings,
    hits: canary.takeHits(),
    windows: context.pages().length,
    traces: await page.evaluate('window.__pwned ?? null'),
    framed: framed.size,
  };
}

/** Returns the ids in the order of arrival. They have gaps: a mark as read takes a number of the same series. */
async function listIds(page: Page): Promise<number[]> {
  const ids = await page.locator('[data-id]').evaluateAll((rows) => rows.map((row) => row.dataset['id']));
  return ids.map(Number).sort((one, other) => one - other);
}

/** Opens all of them in the frame; the hostile names and some others in every view. */
async function openEach(page: Page, ids: readonly number[]): Promise<void> {
  const rest = watchRest(page);
  for (const [at, id] of ids.entries()) {
    await page.evaluate(`location.hash = '#message-${id}'`);
    await page.locator('[role=tabpanel]:visible').waitFor();
    await page.frames()[1]?.waitForLoadState('load');
    if (at >= textMails.length && at % 40 !== 0) continue;
    for (const tab of ['Text', 'Headers', 'Raw']) await page.getByRole('tab', { name: tab }).click();
    await rest();
  }
  await rest();
}

function toMail({ name, html }: HtmlPayload): Mail {
  return { from: sender, subject: name, html, text: html };
}
