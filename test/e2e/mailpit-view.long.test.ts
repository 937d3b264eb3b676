// Mailpit's /view of hostile mail in Chromium: it is the sender's own markup, and still runs nothing, leads nowhere and
// asks for nothing, not even a connection.

import { createTransport } from 'nodemailer';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readHtmlPayloads, runMarker } from '../../packages/mail-reader/test/support/html-payloads.ts';
import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { type CanaryServer, startCanaryServer } from './canary-server.ts';
import { useMortalBrowser } from './mortal-browser.ts';
import { openWatchedPage, watchRest } from './watched-browser.ts';

const pagesAtOnce = 16;
const restMs = 30_000;
const cleanUps: (() => Promise<unknown>)[] = [];
let canary: CanaryServer;
let mayfly: MayflyProcess;

beforeAll(async () => {
  canary = await startCanaryServer();
  const folder = await createDataFolder();
  cleanUps.push(() => folder.remove());
  mayfly = await startMayfly(folder.path, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_COMPAT_PORT: '0',
    MAYFLY_LOG_LEVEL: 'error',
  });
  cleanUps.push(() => mayfly.stop());
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  await canary.close();
});

interface View {
  readonly name: string;
  readonly url: string;
}

async function deliverPayloads(): Promise<View[]> {
  const { email, token } = await mayfly.lend();
  const origin = mayfly.compatOrigin ?? '';
  const transport = createTransport({
    host: '127.0.0.1',
    port: mayfly.smtpPort,
    pool: true,
    ignoreTLS: true,
  });
  const views: View[] = [];
  for (const { name, html } of readHtmlPayloads()) {
    const body = Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n');
    const raw =
      `Subject: ${name}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
      `${body}\r\n`;
    await comeAgain(() => transport.sendMail({ envelope: { from: 'a@sender.test', to: email }, raw }));
    const answer = await fetch(`${origin}/api/v1/messages?limit=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { messages } = (await answer.json()) as { messages: { ID: string }[] };
    views.push({ name, url: `${origin}/view/${messages[0]?.ID ?? ''}.html` });
  }
  transport.close();
  return views;
}

it('shows the corpus of hostile HTML without any effect', async () => {
  const views = await deliverPayloads();
  const seen: string[] = [];
  const mortal = useMortalBrowser(canary.port);
  for (let at = 0; at < views.length; at += pagesAtOnce) {
    const slice = views.slice(at, at + pagesAtOnce);
    const names = slice.map(({ name }) => name);
    const sights = await mortal.show(names, async (browser) => {
      canary.takeHits();
      const context = await browser.newContext();
      const shown = await Promise.all(slice.map((view) => show(context, view)));
      await context.close();
      return [
        ...shown.flat(),
        ...canary.takeHits().map((hit) => `${hit} asked for among ${names.join(', ')}`),
      ];
    });
    seen.push(...sights);
  }
  expect(seen).toEqual([]);
});

async function show(context: BrowserContext, { name, url }: View): Promise<string[]> {
  const { page, sightings } = await openWatchedPage(context, {
    runMarker,
    isExpected: (address) => address.replace(/#.*/, '') === url || address === 'about:blank',
  });
  const rest = watchRest(page, restMs);
  await page.goto(url, { waitUntil: 'load', timeout: 120_000 });
  await rest();
  await page.keyboard.press('Tab');
  await rest();
  return [...sightings.ran, ...sightings.went].map((sight) => `${name}: ${sight}`);
}
