// Sends payloads of the corpus through SMTP to the service and opens them in Chromium as the web app does: with the
// sanitiser, and with a build whose sanitiser lets everything through, so that the frame's own layers hold alone. A
// third pass opens sanitised HTML without a frame or a policy, and a fourth, bare, proves that the payloads are live.
// For the tests of a part of the corpus and of all of it.
import { isDeepStrictEqual } from 'node:util';

import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  type HtmlPayload,
  readHtmlPayloads,
  runMarker,
} from '../../packages/mail-reader/test/support/html-payloads.ts';
import { frameScriptSource } from '#mail-frame/frame-script';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { type CanaryServer, startCanaryServer } from './canary-server.ts';
import { useMortalBrowser } from './mortal-browser.ts';
import { createUnsanitisedBuild } from './unsanitised-build.ts';
import { launchBrowser, openWatchedPage, type Sightings, watchRest } from './watched-browser.ts';
import { comeAgain } from '../support/faults/come-again.ts';
import { eventually } from '../support/eventually.ts';
import { fuzzSeed } from '../support/random.ts';
import { parseFrameMessage } from '../../web/src/state/mail/frame-message.ts';

interface Delivered {
  readonly name: string;
  readonly html: string;
  readonly htmlUrl: string;
  readonly safe: string;
}

const framesPerPage = 80;
/** The share of frames that report their height: the rest hold mail that ends the document or the script. */
const mostFrames = 0.9;
const readsAtOnce = 8;
/** Long enough for a busy machine to load every frame; only a bare page may never rest. */
const longestRestMs = 20_000;
/** The web app's own policy (THREATS 5.1). */
const appPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const rights = 'allow-popups allow-popups-to-escape-sandbox';
const payloads = [
  ...readHtmlPayloads(),
  // The policy would allow this request: it names the hash of the service's own script.
  {
    name: 'a script from elsewhere by the hash of the one allowed',
    html: `<script src="http://canary.test/hash.js" crossorigin integrity="${frameScriptSource.slice(1, -1)}"></script>`,
  },
];
const settings = {
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LOG_LEVEL: 'error',
};

export const seed = fuzzSeed();

let canary: CanaryServer;
const cleanUps: (() => Promise<unknown>)[] = [];

async function startService(buildDir?: string): Promise<MayflyProcess> {
  const folder = await createDataFolder();
  cleanUps.push(() => folder.remove());
  const mayfly = await startMayfly(folder.path, settings, buildDir === undefined ? {} : { buildDir });
  cleanUps.push(() => mayfly.stop());
  return mayfly;
}

function toMail(name: string, html: string): string {
  const body = Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n');
  return (
    `From: a@sender.test\r\nSubject: ${name}\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`
  );
}

/** Sends mails and reads them back, in order. */
async function deliverAll(mayfly: MayflyProcess, sent: readonly HtmlPayload[]): Promise<Delivered[]> {
  const { email, token } = await mayfly.lend();
  const readBack = async ({ name, html }: HtmlPayload, id: number): Promise<Delivered> => {
    const response = await mayfly.call(`/read-mail?id=${id}`, token);
    const { message } = (await response.json()) as {
      message: { subject: string; html: string | null; html_url: string };
    };
    expect(message.subject).toBe(name);
    return { name, html, htmlUrl: mayfly.origin + message.html_url, safe: message.html ?? '' };
  };
  const transport = createTransport({
    host: '127.0.0.1',
    port: mayfly.smtpPort,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  for (const { name, html } of sent) {
    await comeAgain(() =>
      transport.sendMail({ envelope: { from: 'a@sender.test', to: email }, raw: toMail(name, html) }),
    );
  }
  transport.close();
  const delivered: Delivered[] = [];
  for (let at = 0; at < sent.length; at += readsAtOnce) {
    const slice = sent.slice(at, at + readsAtOnce);
    delivered.push(...(await Promise.all(slice.map((payload, i) => readBack(payload, at + i + 1)))));
  }
  return delivered;
}

interface Seen extends Sightings {
  readonly hits: string[];
}

interface Showing {
  readonly pageUrl: string;
  readonly policy: string;
  frame(mail: Delivered): string;
  isExpected(url: string): boolean;
  /** Receives messages that frames post to the page. */
  readonly posted?: unknown[];
}

/** Shows mails in frames of one page, waits until everything is at rest, and returns what happened. */
async function show(
  browser: Browser,
  mails: readonly Delivered[],
  { pageUrl, policy, frame, isExpected, posted }: Showing,
): Promise<Seen> {
  canary.takeHits();
  const context = await browser.newContext();
  const watched = await openWatchedPage(context, { runMarker, isExpected });
  const { page, sightings } = watched;
  await page.exposeBinding('tellMessage', (_source, data: unknown) => posted?.push(data));
  await page.addInitScript(
    `if (window === top) addEventListener('message', ({ data }) => tellMessage(data))`,
  );
  const rest = policy === '' ? watchRest(page) : watchRest(page, longestRestMs);
  const heightsBefore = countHeights(posted ?? []);
  const headers = policy === '' ? {} : { 'content-security-policy': policy };
  const body = `<!DOCTYPE html><title>app</title>${mails.map(frame).join('\n')}`;
  await page.route(pageUrl, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body }),
  );
  await page.goto(pageUrl, { waitUntil: 'commit', timeout: 60_000 });
  if (posted !== undefined) {
    const areMost = (): boolean => countHeights(posted) - heightsBefore > mostFrames * mails.length;
    const look = async (): Promise<true | undefined> => {
      // Throws when the page has crashed.
      await page.evaluate('0');
      return areMost() || undefined;
    };
    await eventually(look, 'most frames post their height');
  }
  await rest();
  // Focus, pointer and keys trigger handlers that wait for them.
  await page.mouse.move(30, 30);
  await page.mouse.click(60, 60);
  await page.keyboard.press('Tab');
  await rest();
  await context.close();
  return { ...sightings, hits: canary.takeHits() };
}

async function showAll(mails: readonly Delivered[], showing: Showing): Promise<Seen> {
  const seen: Seen = { ran: [], went: [], hits: [] };
  const mortal = useMortalBrowser(canary.port);
  for (let at = 0; at < mails.length; at += framesPerPage) {
    const slice = mails.slice(at, at + framesPerPage);
    const names = slice.map(({ name }) => name);
    const one = await mortal.show(names, (browser) => show(browser, slice, showing));
    seen.ran.push(...one.ran);
    seen.went.push(...one.went);
    seen.hits.push(...one.hits);
  }
  return seen;
}

/** As the web app does it, with the script that reports the height; or without it, as other pages may. */
function inApp(
  mayfly: MayflyProcess,
  { posted, isSized = true }: { posted?: unknown[]; isSized?: boolean },
): Showing {
  const sandbox = isSized ? `allow-scripts ${rights}` : rights;
  return {
    ...(posted ? { posted } : {}),
    pageUrl: `${mayfly.origin}/app-for-test`,
    policy: appPolicy,
    frame: ({ htmlUrl }) =>
      `<iframe sandbox="${sandbox}" referrerpolicy="no-referrer" width="120" height="60" src="${escapeHtml(isSized ? `${htmlUrl}&sized=1` : htmlUrl)}"></iframe>`,
    isExpected: (url) =>
      url.startsWith(`${mayfly.origin}/html-mail?`) || url === `${mayfly.origin}/app-for-test`,
  };
}

/** Every right but one: a payload that navigates the page away would hide what the others do. */
const allButThePage = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups';

/** No policy and, unless given, no sandbox: scripts run, everything loads. */
function bare(mayfly: MayflyProcess, content: (mail: Delivered) => string, sandbox?: string): Showing {
  const attribute = sandbox === undefined ? '' : ` sandbox="${sandbox}"`;
  const pageUrl = `${mayfly.origin}/bare-for-test`;
  return {
    pageUrl,
    policy: '',
    frame: (mail) =>
      `<iframe${attribute} width="120" height="60" srcdoc="${escapeHtml(content(mail))}"></iframe>`,
    isExpected: (url) => url === pageUrl || url === 'about:srcdoc' || url === 'about:blank',
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Each pass opens one of so many mails: others with each seed. */
export interface Parts {
  readonly app: number;
  /** Passes that the app's or the sandbox's fewer rights make less important. */
  readonly others: number;
}

function onePart<T>(mails: readonly T[], parts: number): T[] {
  return mails.filter((_, i) => i % parts === seed % parts);
}

const nothing: Seen = { ran: [], went: [], hits: [] };
const budget = { timeout: 400_000 };

export function testHtmlMail(parts: Parts): void {
  let sanitised: { mayfly: MayflyProcess; mails: Delivered[] };

  beforeAll(async () => {
    canary = await startCanaryServer();
    const mayfly = await startService();
    sanitised = { mayfly, mails: await deliverAll(mayfly, onePart(payloads, parts.app)) };
  }, 240_000);

  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    await canary.close();
  });

  it('is dangerous indeed: the corpus runs, loads and navigates without protection', budget, async () => {
    const mails = onePart(payloads, parts.others).map(({ name, html }) => ({
      name,
      html,
      htmlUrl: '',
      safe: '',
    }));
    const seen = await showAll(
      mails,
      bare(sanitised.mayfly, ({ html }) => html, allButThePage),
    );
    expect(seen.ran.length).toBeGreaterThan(mails.length / 5);
    expect(new Set(seen.hits).size).toBeGreaterThan(mails.length / 5);
    expect(seen.went.length).toBeGreaterThan(0);
  });

  it('has no effect as the web app shows it', budget, async () => {
    const { mayfly, mails } = sanitised;
    const posted: unknown[] = [];
    expect(await showAll(mails, inApp(mayfly, { posted }))).toEqual(nothing);
    expectHeights(posted, mails.length);
  });

  it('has no effect with the sanitiser alone, without frame and policy', budget, async () => {
    const { mayfly, mails } = sanitised;
    const seen = await showAll(
      onePart(mails, parts.others / parts.app),
      bare(mayfly, ({ safe }) => safe),
    );
    expect(seen).toEqual(nothing);
  });

  it('has no effect with the frame alone, with the sanitiser switched off', budget, async () => {
    const build = await createUnsanitisedBuild(inject('buildDir'));
    cleanUps.push(() => build.remove());
    const mayfly = await startService(build.buildDir);
    const mails = await deliverAll(mayfly, onePart(payloads, parts.others));
    expect(mails.filter(({ html, safe }) => html === safe).length).toBeGreaterThan(0.9 * mails.length);
    const posted: unknown[] = [];
    expect(await showAll(mails, inApp(mayfly, { posted }))).toEqual(nothing);
    expectHeights(posted, mails.length);
    expect(await showAll(mails, inApp(mayfly, { isSized: false }))).toEqual(nothing);
    await expectPageUntouched(mayfly, mails);
  });
}

/** Tries what a script in the frame could do to the page, and tells the page how far it got. */
const intruder = `<script>
  const tries = {
    page: () => parent.document.title,
    storage: () => localStorage.length,
    cookies: () => document.cookie,
    top: () => { top.location.href = 'http://canary.test/top'; },
    script: () => parent.eval('1'),
  };
  const reached = Object.keys(tries).filter((name) => { try { tries[name](); return true; } catch { return false; } });
  parent.postMessage({ intruder: reached, origin: String(self.origin) }, '*');
</script>`;

/** With the frame as the page has it, and neither sanitiser nor policy: scripts run, and reach nothing of the page. */
async function expectPageUntouched(mayfly: MayflyProcess, mails: readonly Delivered[]): Promise<void> {
  const browser = await launchBrowser(canary.port);
  const page = await browser.newPage();
  const reports: { intruder?: unknown; origin?: unknown }[] = [];
  await page.exposeBinding('tellMessage', (_source, data: object) => reports.push(data));
  await page.addInitScript(
    `if (window === top) addEventListener('message', ({ data }) => tellMessage(data))`,
  );
  const { frame, pageUrl, policy } = inApp(mayfly, {});
  const bodies = [...mails.slice(0, 40).map(({ html }) => html), intruder];
  await page.route(`${mayfly.origin}/html-mail?*`, (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('n'));
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!DOCTYPE html>${bodies[number] ?? ''}`,
    });
  });
  const frames = bodies.map((_, n) =>
    frame({ name: '', html: '', safe: '', htmlUrl: `${mayfly.origin}/html-mail?n=${n}` }),
  );
  await page.route(pageUrl, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
      body: `<!DOCTYPE html><title>app</title>${frames.join('')}`,
    }),
  );
  await page.goto(pageUrl, { waitUntil: 'commit' });
  const report = await eventually(
    () => Promise.resolve(reports.find(({ intruder: reached }) => reached !== undefined)),
    'the intruder reports',
  );
  expect(report).toEqual({ intruder: [], origin: 'null' });
  expect(page.url()).toBe(pageUrl);
  expect(await page.evaluate('[document.title, window.__pwned ?? null]')).toEqual(['app', null]);
  await browser.close();
}

/** No script but the allowed one has posted. */
function expectHeights(posted: readonly unknown[], mails: number): void {
  expect(countHeights(posted)).toBeGreaterThan(mostFrames * mails);
  expect(posted.filter((message) => !isOfOurScript(message))).toEqual([]);
}

/** The form of each report that the script makes unasked, in colours that no page has asked to change. */
function isOfOurScript(message: unknown): boolean {
  const isKnown =
    ['height', 'link', 'fit'].includes(String(kindOf(message))) ||
    isDeepStrictEqual(message, { kind: 'scheme', isDark: false });
  return isKnown && isDeepStrictEqual(message, parseFrameMessage(message));
}

function kindOf(message: unknown): unknown {
  return (message as { kind?: unknown }).kind;
}

function countHeights(posted: readonly unknown[]): number {
  return posted.filter((message) => kindOf(message) === 'height').length;
}
