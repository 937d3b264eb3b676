// Chromium without access to the network, observed: which scripts run, where frames navigate and which windows open.
// For tests that a message does none of these.
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { headlessShell, launchChromium } from '../support/page/chromium.ts';

/** Effects a message must not have. */
export interface Sightings {
  /** Scripts that reported themselves, and dialogs. */
  readonly ran: string[];
  /** Unexpected addresses a frame or window navigated to. */
  readonly went: string[];
}

const canaryHosts = ['canary.test', '*.canary.test'];
/** Browser features that would keep a page on loopback from the canary, or add requests: no test may depend on them. */
const browserGuards = [
  'LocalNetworkAccessChecks',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'OptimizationHints',
  'Translate',
  'MediaRouter',
];

/** Only 127.0.0.1 can be reached, and the canary by its host names. */
export function launchBrowser(canaryPort: number): Promise<Browser> {
  return launchChromium(headlessShell, [
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // The browser's own requests go nowhere, so that all requests at the canary are from the page.
    `--host-resolver-rules=${canaryHosts.map((host) => `MAP ${host} 127.0.0.1:${canaryPort}`).join(', ')}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    `--disable-features=${browserGuards.join(',')}`,
  ]);
}

export interface Watch {
  readonly runMarker: string;
  /** Reports whether the page or one of its own frames may be at this address. */
  isExpected(url: string): boolean;
}

const quietMs = 500;

/**
 * Records the page's last activity. The returned function resolves half a second after it, when all loading, running
 * and navigating is done, or after `longestMs`: some pages never rest.
 */
export function watchRest(page: Page, longestMs = 6_000): () => Promise<void> {
  let lastAt = performance.now();
  const note = (): void => {
    lastAt = performance.now();
  };
  for (const event of ['request', 'requestfinished', 'requestfailed', 'framenavigated', 'console'] as const) {
    // The events have different types; only their occurrence counts here.
    page.on(event as 'request', note);
  }
  return async () => {
    const until = performance.now() + longestMs;
    while (performance.now() - lastAt < quietMs && performance.now() < until) await page.waitForTimeout(50);
  };
}

/** A message's own frame that loaded nothing: empty, inline, or blocked. */
function isNowhere(url: string): boolean {
  return url.startsWith('about:') || url.startsWith('chrome-error:');
}

export async function openWatchedPage(
  context: BrowserContext,
  { runMarker, isExpected }: Watch,
): Promise<{ page: Page; sightings: Sightings }> {
  const sightings: Sightings = { ran: [], went: [] };
  const page = await context.newPage();
  page.on('console', (message) => {
    // An error may only quote it: a policy reports what it blocked.
    if (message.type() === 'log' && message.text() === runMarker) sightings.ran.push(message.location().url);
  });
  page.on('dialog', (dialog) => {
    sightings.ran.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch((error: unknown) => sightings.went.push(`dialog: ${String(error)}`));
  });
  page.on('popup', (popup) => sightings.went.push(`popup ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    const parent = frame.parentFrame();
    const isWithinMessage = parent !== null && parent.parentFrame() !== null;
    const isFine = isWithinMessage ? isNowhere(frame.url()) : isExpected(frame.url());
    if (!isFine) sightings.went.push(frame.url());
  });
  return { page, sightings };
}
