// Takes pictures of messages. The service has sanitised their HTML; all the same it is shown with an origin of its
// own, without scripts and without network access.

import type { Browser, BrowserType, PlaywrightWorkerOptions, Route } from '@playwright/test';

import { within } from './within.ts';

/** Loads a picture that came with the message; undefined for any other URL. */
export type LoadImage = (url: URL) => Promise<Uint8Array | undefined>;

export type ColorScheme = 'light' | 'dark';

export interface View {
  /** In CSS pixels. */
  readonly width: number;
  readonly colorScheme: ColorScheme;
}

type Options = Pick<PlaywrightWorkerOptions, 'channel' | 'launchOptions' | 'connectOptions'>;

/** The page's origin: a name that never resolves (RFC 2606). */
const origin = 'http://mail.invalid';
const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: http://mail.invalid";
const usualView: View = { width: 800, colorScheme: 'light' };
const heightMax = 5000;
const timeout = 10_000;
const startTimeout = 15_000;

export class Camera {
  readonly #type: BrowserType;
  readonly #options: Options;
  #browser: Promise<Browser> | undefined;
  #running: Browser | undefined;

  /** Starts the browser only for the first picture: most tests need none. */
  constructor(type: BrowserType, options: Options) {
    this.#type = type;
    this.#options = options;
  }

  /** Returns a PNG of the first 5,000 pixels. */
  async take(html: string, loadImage: LoadImage, view: View = usualView): Promise<Buffer> {
    const { width, colorScheme } = view;
    this.#browser ??= this.#start();
    const browser = await this.#browser;
    const context = await browser.newContext({
      javaScriptEnabled: false,
      acceptDownloads: false,
      serviceWorkers: 'block',
      // Overrides the state of the project's own pages.
      storageState: { cookies: [], origins: [] },
      extraHTTPHeaders: {},
      permissions: [],
      viewport: { width, height: 600 },
      colorScheme,
      deviceScaleFactor: 1,
      isMobile: false,
    });
    try {
      await context.route('**/*', (route) => answer(route, html, loadImage));
      const page = await context.newPage();
      page.setDefaultTimeout(timeout);
      await page.goto(`${origin}/`, { timeout });
      const clip = { x: 0, y: 0, width, height: heightMax };
      return await page.screenshot({ fullPage: true, clip, animations: 'disabled' });
    } finally {
      await context.close();
    }
  }

  async close(): Promise<void> {
    await this.#running?.close();
  }

  async #start(): Promise<Browser> {
    const { channel, launchOptions, connectOptions } = this.#options;
    if (connectOptions) {
      this.#running = await this.#type.connect(connectOptions.wsEndpoint, { ...connectOptions, timeout });
    } else {
      const options = { ...launchOptions, ...(channel === undefined ? {} : { channel }) };
      this.#running = await this.#type.launch({ ...options, headless: true, timeout: startTimeout });
    }
    return this.#running;
  }
}

async function answer(route: Route, html: string, loadImage: LoadImage): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  if (url.origin !== origin) {
    await route.abort('blockedbyclient');
  } else if (request.isNavigationRequest() && url.pathname === '/') {
    const headers = { 'content-security-policy': policy, 'x-dns-prefetch-control': 'off' };
    await route.fulfill({ body: html, contentType: 'text/html; charset=utf-8', headers });
  } else if (request.resourceType() === 'image') {
    await answerImage(route, () => loadImage(url));
  } else {
    await route.abort('blockedbyclient');
  }
}

/** A picture that cannot be loaded leaves a gap, as in a mail program. */
async function answerImage(route: Route, load: () => ReturnType<LoadImage>): Promise<void> {
  let image;
  try {
    image = await within(timeout, load());
  } catch {
    await route.abort('failed');
    return;
  }
  await (image ? route.fulfill({ body: Buffer.from(image) }) : route.abort('blockedbyclient'));
}
