// Chromium for mails that may crash it. Each test has its own browser; after a crash the same mails are shown again in
// a new one. Mails that crash three in a row fail the test by name.
import type { Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';

import { launchBrowser } from './watched-browser.ts';

const deathsMax = 3;

export interface MortalBrowser {
  /** Runs `show` in the test's browser, and again from the start when the browser or one of its pages crashes. */
  show<T>(mails: readonly string[], show: (browser: Browser) => Promise<T>): Promise<T>;
}

/** Launches nothing before the first `show`. Closed with the test. */
export function useMortalBrowser(canaryPort: number): MortalBrowser {
  let browser: Browser | undefined;
  let isOver = false;
  onTestFinished(async () => {
    isOver = true;
    await browser?.close();
  });
  return {
    show: async (mails, show) => {
      for (let deaths = 1; ; deaths++) {
        browser ??= await launchBrowser(canaryPort);
        try {
          return await show(browser);
        } catch (error) {
          if (isOver || !(error instanceof Error) || !isDeath(browser, error)) throw error;
          if (deaths === deathsMax) {
            throw new Error(`Chromium died ${deaths} times showing ${mails.join(', ')}`, { cause: error });
          }
          process.stderr.write(`Chromium died showing ${mails.length} mails: ${error.message}\n`);
          await browser.close();
          browser = undefined;
        }
      }
    },
  };
}

function isDeath(browser: Browser, { message }: Error): boolean {
  return !browser.isConnected() || /has been closed|crashed/i.test(message);
}
