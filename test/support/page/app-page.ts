// The page as people use it: the built service on its own ports, mail sent to it over SMTP, and Chromium, which can
// reach only 127.0.0.1. For test/e2e/app-*.test.ts and the screenshots.
import { rmSync } from 'node:fs';

import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { onTestFinished } from 'vitest';

import { headlessShell, launchChromium, wholeBrowser } from './chromium.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../servers/free-port.ts';
import { createDataFolder, type MayflyProcess, runMayfly, startMayfly } from '../service/mayfly-process.ts';
import type { Finished } from '../servers/run-program.ts';
import { comeAgain } from '../faults/come-again.ts';

/** The service at addresses that survive restarts. */
export interface AppService {
  /** The page's URL, with a slash at the end. */
  readonly url: string;
  readonly origin: string;
  readonly smtpPort: number;
  /** Returns the running process. */
  process(): MayflyProcess;
  /** Sends from `Example <noreply@example.test>` by default; resolves when the mail is accepted. */
  send(to: string, mail: SendMailOptions): Promise<void>;
  /** Runs an operator command with the service's settings. */
  run(...words: readonly string[]): Promise<Finished>;
  /** Ends it at once, like a power cut; the data stays. */
  kill(): Promise<void>;
  /** Starts it after `kill`, optionally from another build. */
  start(buildDir?: string): Promise<void>;
  close(): Promise<void>;
  /** Does what `close` does without waiting, for the end of this process. */
  abandon(): void;
}

/** @param build folder of another build than this clone's */
export async function startAppService(
  settings: Readonly<Record<string, string>> = {},
  build?: string,
): Promise<AppService> {
  const folder = await createDataFolder();
  const [httpPort, smtpPort] = [await freePort(), await freePort()];
  const environment = {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_HTTP_PORT: String(httpPort),
    MAYFLY_SMTP_PORT: String(smtpPort),
    ...settings,
  };
  const start = (buildDir = build): Promise<MayflyProcess> =>
    startMayfly(folder.path, environment, buildDir === undefined ? {} : { buildDir });
  let running = await start();
  const { origin } = running;
  return {
    url: `${origin}${settings['MAYFLY_HTTP_BASE_PATH'] ?? ''}/`,
    origin,
    smtpPort,
    process: () => running,
    send: (to, mail) => sendMail(smtpPort, to, mail),
    run: (...words) => runMayfly(folder.path, words, environment),
    kill: async () => {
      await running.stop('SIGKILL');
    },
    start: async (buildDir) => {
      running = await start(buildDir);
    },
    close: async () => {
      await running.stop();
      await folder.remove();
    },
    abandon: () => {
      running.child.kill('SIGKILL');
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

async function sendMail(port: number, to: string, mail: SendMailOptions): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  await comeAgain(() => transport.sendMail({ from: 'Example <noreply@example.test>', to, ...mail }));
}

/** Starts a service for one test, closed at its end. */
export async function useAppService(settings: Readonly<Record<string, string>> = {}): Promise<AppService> {
  const service = await startAppService(settings);
  onTestFinished(() => service.close());
  return service;
}

/** Hosts other than this machine do not exist for it. Only the whole browser has notifications. */
export function launchAppBrowser({ isWhole = false } = {}): Promise<Browser> {
  return launchChromium(isWhole ? wholeBrowser : headlessShell, [
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ]);
}

export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const withServiceWorker: BrowserContextOptions = { ...desktop, serviceWorkers: 'allow' };

/** Unexpected faults of a page; each list is empty if all is well. */
export interface Faults {
  /** Violations of the page's own policy. Documents of messages have separate policies and are not listed. */
  readonly violations: string[];
  readonly errors: string[];
  /** Requests to other hosts than the service. */
  readonly foreign: string[];
}

export interface AppPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: Faults;
  /** Returns the clipboard's text. The page may not read it, so another page of the service does. */
  readClipboard(): Promise<string>;
  close(): Promise<void>;
}

/** Longer than playwright's 30 s, which a busy machine exceeds. */
const slowMs = 100_000;

/**
 * Opens the page in an empty browser profile. `options` are playwright's: `locale` etc. Unless they allow it, there is no
 * service worker, whose installation takes a third of a visit's processor time.
 */
export async function openAppPage(
  browser: Browser,
  { url, origin }: Pick<AppService, 'url' | 'origin'>,
  options: BrowserContextOptions = desktop,
): Promise<AppPage> {
  const context = await browser.newContext({
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(slowMs);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const faults = await watchFaults(context, origin);
  const page = await context.newPage();
  await page.goto(url);
  return {
    page,
    context,
    faults,
    readClipboard: async () => {
      const other = await context.newPage();
      await other.goto(`${url}docs`);
      const text = await other.evaluate('navigator.clipboard.readText()');
      await other.close();
      return String(text);
    },
    close: () => context.close(),
  };
}

/** Runs in every document before its own scripts. */
const reportViolations = `if (window === top) {
  document.addEventListener('securitypolicyviolation', (event) => {
    window.tellViolation(event.effectiveDirective + ' ' + event.blockedURI + ' ' + event.sample);
  });
}`;

async function watchFaults(context: BrowserContext, origin: string): Promise<Faults> {
  const faults: Faults = { violations: [], errors: [], foreign: [] };
  await context.exposeBinding('tellViolation', (_source, text: string) => {
    faults.violations.push(text);
  });
  await context.addInitScript(reportViolations);
  context.on('weberror', (error) => faults.errors.push(error.error().message));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) faults.foreign.push(request.url());
  });
  return faults;
}

/** Returns the first address, once the page itself shows it: before its script has run there is no button. */
export async function readAddress(page: Page): Promise<string> {
  await page.getByRole('button').first().waitFor();
  return (await page.getByTestId('address').textContent()) ?? '';
}

/** Presses Escape and waits until the element is gone: a closed dialog that is still in the page has no role. */
export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Repeats it if the focus, on its way to a message, has closed the menu again. */
export async function openMenu(page: Page): Promise<void> {
  const list = page.locator('.menu-list');
  await eventually(async () => {
    if (!(await list.isVisible())) {
      await page.getByRole('button', { name: 'More about this address' }).click();
    }
    return list.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => undefined,
    );
  }, 'the menu opens');
}

/** Clicks a button of the menu beside the address. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await page.locator('.menu-list').getByRole('button', { name, exact: true }).click();
}

type SeenWithin = (limit: { readonly timeout: number }) => Promise<void>;

/** Presses a key until it has its effect: a busy page misses it while the focus is on its way out of a message. */
export async function pressUntil(page: Page, key: string, isSeen: SeenWithin): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press(key);
    return isSeen({ timeout: 5_000 }).then(
      () => true,
      () => undefined,
    );
  }, `${key} has its effect`);
}

export function openDialog(page: Page, key: string): Promise<void> {
  return pressUntil(page, key, (limit) => page.getByRole('dialog').waitFor(limit));
}

/** For `expect(faults).toEqual(noFaults)`. */
export const noFaults: Faults = { violations: [], errors: [], foreign: [] };
