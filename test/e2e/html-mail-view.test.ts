// HTML mail as a reader sees it in Chromium: inline pictures, remote ones on request, links in a separate window, and
// nothing outside its frame even without sanitising.
import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readHtmlPayloads } from '../../packages/mail-reader/test/support/html-payloads.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { type CanaryServer, startCanaryServer } from './canary-server.ts';
import { useMortalBrowser } from './mortal-browser.ts';
import { createUnsanitisedBuild } from './unsanitised-build.ts';
import { comeAgain } from '../support/faults/come-again.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
const cleanUps: (() => Promise<unknown>)[] = [];
let canary: CanaryServer;
let mayfly: MayflyProcess;

beforeAll(async () => {
  canary = await startCanaryServer();
  mayfly = await startService();
});
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  await canary.close();
});

async function startService(buildDir?: string): Promise<MayflyProcess> {
  const folder = await createDataFolder();
  cleanUps.push(() => folder.remove());
  const service = await startMayfly(
    folder.path,
    { MAYFLY_LIMITS_RATE: 'off' },
    buildDir === undefined ? {} : { buildDir },
  );
  cleanUps.push(() => service.stop());
  return service;
}

/** Sends each as a message with a picture in it and returns the URLs of their documents. */
async function deliver(service: MayflyProcess, htmls: readonly string[]): Promise<string[]> {
  const { email, token } = await service.lend();
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.smtpPort,
    ignoreTLS: true,
    pool: true,
  });
  const urls: string[] = [];
  for (const [i, html] of htmls.entries()) {
    const raw =
      'Content-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--x\r\nContent-Type: image/png\r\n` +
      `Content-ID: <logo@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}\r\n--x--\r\n`;
    await comeAgain(() => transport.sendMail({ envelope: { from: 'a@sender.test', to: email }, raw }));
    const response = await service.call(`/read-mail?id=${i + 1}`, token);
    const { message } = (await response.json()) as { message: { html_url: string } };
    urls.push(service.origin + message.html_url);
  }
  transport.close();
  return urls;
}

const bar = { x: 0, y: 0, width: 800, height: 80 };

/** Opens a page of ours with a bar above the frames. */
async function openApp(
  browser: Browser,
  service: MayflyProcess,
  frameUrls: readonly string[],
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  const url = `${service.origin}/app-for-test`;
  const frames = frameUrls.map(
    (frameUrl) =>
      `<iframe sandbox="${sandbox}" width="120" height="60" src="${frameUrl.replaceAll('&', '&amp;')}"></iframe>`,
  );
  const body = `<!DOCTYPE html><body style="margin:0"><h1 style="height:80px;margin:0">Inbox</h1>${frames.join('')}`;
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  return page.goto(url, { waitUntil: 'networkidle' }).then(() => page);
}

it('shows inline pictures, although the frame has no origin of its own', async () => {
  const [url = ''] = await deliver(mayfly, ['<img src="cid:logo@x">']);
  const { finished, failed } = await useMortalBrowser(canary.port).show([url], async (browser) => {
    const page = await browser.newPage();
    const finished: string[] = [];
    const failed: string[] = [];
    page.on('requestfinished', (request) => finished.push(new URL(request.url()).pathname));
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.goto(url, { waitUntil: 'networkidle' });
    return { finished, failed };
  });
  expect(finished).toContain('/inline-image');
  expect(failed).toEqual([]);
});

it('loads remote images on request, and not before', async () => {
  const [url = ''] = await deliver(mayfly, ['<img src="http://canary.test/pixel">']);
  const mortal = useMortalBrowser(canary.port);
  const hitsOf = async (shown: string): Promise<string[]> => {
    canary.takeHits();
    return mortal.show([shown], async (browser) => {
      await (await openApp(browser, mayfly, [shown])).close();
      return canary.takeHits();
    });
  };
  expect(await hitsOf(url)).toEqual([]);
  expect(await hitsOf(`${url}&remote=1`)).toContain('canary.test/pixel');
});

it('opens links in a new window without an opener or a referrer', async () => {
  const [url = ''] = await deliver(mayfly, [
    '<a href="http://canary.test/page" style="font-size:40px">go</a>',
  ]);
  canary.pages.set('canary.test/page', '<title>outside</title>');
  const seen = await useMortalBrowser(canary.port).show([url], async (browser) => {
    const page = await openApp(browser, mayfly, [url]);
    const opened = page.waitForEvent('popup');
    await page.mouse.click(30, 115);
    const popup = await opened;
    await popup.waitForLoadState('load');
    const known = await popup.evaluate('[opener, document.referrer]');
    return { popup: popup.url(), known, page: page.url() };
  });
  expect(seen).toEqual({
    popup: 'http://canary.test/page',
    known: [null, ''],
    page: `${mayfly.origin}/app-for-test`,
  });
});

it('paints nothing outside the frame, with the sanitiser switched off', { timeout: 300_000 }, async () => {
  const build = await createUnsanitisedBuild(inject('buildDir'));
  cleanUps.push(() => build.remove());
  const service = await startService(build.buildDir);
  const takeovers = readHtmlPayloads().filter(
    ({ name }) => name.includes('takeover') || name.includes('CVE-2026-35544'),
  );
  expect(takeovers.length).toBeGreaterThan(20);
  const htmls = takeovers.map(({ html }) => html);
  const names = takeovers.map(({ name }) => name);
  const urls = await deliver(service, htmls);
  const isSame = await useMortalBrowser(canary.port).show(names, async (browser) => {
    const quiet = await openApp(browser, service, []);
    const before = await quiet.screenshot({ clip: bar });
    const hostile = await openApp(browser, service, urls);
    const after = await hostile.screenshot({ clip: bar });
    return after.equals(before);
  });
  expect(isSame).toBe(true);
});
