// Setup for tests of the page: `const app = useApp()` at the top of a file gives it Chromium and the built service,
// ready before its first test, and pages that close with the test. The files of one worker share the browser, and the
// service where its settings are the defaults: each page has its own profile, and each address its own token.
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
  withServiceWorker,
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

export interface BrowserChoice {
  /** Instead of its headless shell, which has no notifications. */
  readonly isWhole?: boolean;
  /** Whether pages install their service worker. */
  readonly hasServiceWorker?: boolean;
}

/** Shared by the test files of this worker. */
const shared: { browsers: Partial<Record<'shell' | 'whole', Browser>>; service?: AppService } = {
  browsers: {},
};

// Vitest ends a worker with this signal, which by default skips `exit`.
process.once('SIGTERM', () => process.exit());
process.once('exit', () => shared.service?.abandon());

/** Returns the worker's browser and closes what the file's tests left open in it. Call it once per test file. */
export function useBrowser({ isWhole = false }: BrowserChoice = {}): { readonly browser: Browser } {
  const kind = isWhole ? 'whole' : 'shell';
  beforeAll(async () => {
    if (shared.browsers[kind]?.isConnected() === true) return;
    shared.browsers[kind] = await launchAppBrowser({ isWhole });
  });
  afterAll(async () => {
    for (const context of shared.browsers[kind]?.contexts() ?? []) await context.close();
  });
  return {
    get browser() {
      return started(shared.browsers[kind]);
    },
  };
}

/** Returns the worker's service, or one for this file if it has settings. */
function useService(settings: Readonly<Record<string, string>>): { readonly service: AppService } {
  const isShared = Object.keys(settings).length === 0;
  let service: AppService | undefined;
  beforeAll(async () => {
    service = isShared ? (shared.service ??= await startAppService()) : await startAppService(settings);
  });
  afterAll(async () => {
    if (!isShared) await service?.close();
  });
  return {
    get service() {
      return started(service);
    },
  };
}

/** Call it once per test file. */
export function useApp(settings: Readonly<Record<string, string>> = {}, choice: BrowserChoice = {}): App {
  const [chromium, mayfly] = [useBrowser(choice), useService(settings)];
  const app: App = {
    get browser() {
      return chromium.browser;
    },
    get service() {
      return mayfly.service;
    },
    openPage: async ({ at = app.service, ...options } = desktop) => {
      const usual = choice.hasServiceWorker === true ? withServiceWorker : desktop;
      const opened = await openAppPage(app.browser, at, { ...usual, ...options });
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
