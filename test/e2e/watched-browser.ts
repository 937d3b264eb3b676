// Chromium without a way out, watched: what runs, where frames go and what windows open. For tests that a message does
// nothing in it.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** What came to pass that a message may not bring about. */
export interface Sightings {
  /** Scripts that told on themselves, and dialogs. */
  readonly ran: string[];
  /** Addresses that a frame or window went to, of those not expected. */
  readonly went: string[];
}

const canaryHosts = ['canary.test', '*.canary.test'];
/** What would keep a page on loopback from the canary, or add requests of its own: nothing here may rest on it. */
const browserGuards = [
  'LocalNetworkAccessChecks',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'OptimizationHints',
  'Translate',
  'MediaRouter',
];

/** Nothing but 127.0.0.1 can be reached, and the canary under its names. */
export function launchBrowser(canaryPort: number): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 90_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The browser's own errands go nowhere, so that whoever reaches the canary came from the page.
      `--host-resolver-rules=${canaryHosts.map((host) => `MAP ${host} 127.0.0.1:${canaryPort}`).join(', ')}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      `--disable-features=${browserGuards.join(',')}`,
    ],
  });
}

export interface Watch {
  readonly runMarker: string;
  /** Whether the page or a frame of its own may be at this address. */
  isExpected(url: string): boolean;
}

const quietMs = 500;
const restlessMs = 6_000;

/**
 * Notes when the page last did anything. The returned function resolves when that is half a second ago: what was to be
 * loaded, run or gone to has been. A page that never rests is given six seconds.
 */
export function watchRest(page: Page): () => Promise<void> {
  let lastAt = performance.now();
  const note = (): void => {
    lastAt = performance.now();
  };
  for (const event of ['request', 'requestfinished', 'requestfailed', 'framenavigated', 'console'] as const) {
    // The events have types of their own; only that they came counts here.
    page.on(event as 'request', note);
  }
  return async () => {
    const until = performance.now() + restlessMs;
    while (performance.now() - lastAt < quietMs && performance.now() < until) await page.waitForTimeout(50);
  };
}

/** Frames of a message's own that came to nothing: empty, written out within it, or kept from loading. */
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
    // As an error it may only be quoted: a policy tells what it kept from running.
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
