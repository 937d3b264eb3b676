// Measures the whole chain in a page open in Chromium: from the 250 to the code in the list, and from there, with the
// message opened at once, to its HTML on the screen. Uses the wall clock, which page, frame and sender share.
import { type Browser, chromium, type Page } from 'playwright-core';

import { htmlMail } from './html-mail.ts';
import type { ServiceProcess } from './service-process.ts';
import { connectSmtp } from './smtp-client.ts';

export interface Chain {
  /** Milliseconds from the 250 until the list shows the code, until the mail is open, and until its HTML is painted. */
  readonly code: number;
  readonly text: number;
  readonly html: number;
}

const patienceMs = 60_000;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

/** Opens the page, which creates an address; `measure` gets each mail's number in turn, from 1. */
export async function openChain(
  browser: Browser,
  { httpPort, smtpPort }: ServiceProcess,
): Promise<{ measure: (number: number) => Promise<Chain>; close: () => Promise<void> }> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(watchList);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${httpPort}/`);
  await page.getByText('Live', { exact: true }).waitFor();
  const email = (await page.getByTestId('address').textContent()) ?? '';
  return {
    measure: async (number) => {
      await page.evaluate(`window.expectMail(${number})`);
      const smtp = await connectSmtp(smtpPort);
      await smtp.deliver(email, htmlMail(String(400_000 + number)));
      const sentAt = now();
      const { codeAt, textAt } = await page.evaluate<Seen>('window.mailSeen');
      const htmlAt = await readPaint(page);
      await smtp.quit();
      await page.keyboard.press('Escape');
      await page.locator('iframe').waitFor({ state: 'detached' });
      return { code: Math.max(0, codeAt - sentAt), text: textAt - sentAt, html: htmlAt - sentAt };
    },
    close: () => context.close(),
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

interface Seen {
  readonly codeAt: number;
  readonly textAt: number;
}

/**
 * Records when a mail's code is on the screen, opens it, and records when it is open. Runs before the page's scripts.
 */
const watchList = `window.expectMail = (number) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
    done(performance.timeOrigin + performance.now());
  })));
  const found = (selector) => new Promise((done) => {
    const look = (_, observer) => {
      const element = document.querySelector(selector);
      if (element === null) return;
      observer.disconnect();
      done(element);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  // Counted from the oldest: ids have gaps, since they number all changes of a session.
  const row = '.row:nth-last-child(' + number + ')';
  const opened = found('#panel-html iframe');
  window.mailSeen = found(row + ' .code-chip').then(async () => {
    const codeAt = await painted();
    document.querySelector(row + ' .row-link').click();
    await opened;
    return { codeAt, textAt: await painted() };
  });
};`;

/** Reads when the open message's frame first painted. */
async function readPaint(page: Page): Promise<number> {
  const frame = await (await page.locator('#panel-html iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The message has no frame.');
  for (;;) {
    const at = await frame.evaluate<number | null>(
      `(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        return paint === undefined ? null : performance.timeOrigin + paint.startTime;
      })()`,
    );
    if (at !== null) return at;
  }
}
