// Setup for tests of the page: `const app = useApp()` at the top of a file gives it Chromium and the built service,
// both started before its first test and ended after its last, and pages that close with the test.
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import {
  type AppPage,
  type AppService,
  desktop,
  launchAppBrowser,
  openAppPage,
  readAddress,
  startAppService,
} from './app-page.ts';

export interface PageOptions extends BrowserContextOptions {
  /** Another service than the file's, or another base URL of it. */
  readonly at?: Pick<AppService, 'url' | 'origin'>;
}

export interface OpenedApp extends AppPage {
  /** The first address shown by the page. */
  readonly email: string;
}

export interface App {
  readonly browser: Browser;
  readonly service: AppService;
  /** Opens the page in its own browser profile. */
  openPage(options?: PageOptions): Promise<AppPage>;
  /** Also waits for its first address. */
  open(options?: PageOptions): Promise<OpenedApp>;
}

/** Call it once per test file. */
export function useApp(settings: Readonly<Record<string, string>> = {}): App {
  let browser: Browser | undefined;
  let service: AppService | undefined;
  beforeAll(async () => {
    browser = await launchAppBrowser();
    service = await startAppService(settings);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  const app: App = {
    get browser() {
      return started(browser);
    },
    get service() {
      return started(service);
    },
    openPage: async ({ at = app.service, ...options } = desktop) => {
      const opened = await openAppPage(app.browser, at, { ...desktop, ...options });
      onTestFinished(opened.close);
      return opened;
    },
    open: async (options) => {
      const opened = await app.openPage(options);
      return { ...opened, email: await readAddress(opened.page) };
    },
  };
  return app;
}

function started<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('The tests of this file have not begun.');
  return thing;
}
