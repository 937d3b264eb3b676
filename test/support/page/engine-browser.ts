// A browser of any engine with one page, as far as the checks of test/e2e/engines.test.ts need it.
import type { Frame } from 'playwright-core';

import { launchAppBrowser } from './app-page.ts';

export interface EngineBrowser {
  goto(url: string): Promise<void>;
  /** Sets the size of the page's viewport. */
  resize(width: number, height: number): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** In the document of the page's only frame. */
  evaluateInFrame(expression: string): Promise<unknown>;
  clickInFrame(selector: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

export async function launchChromiumEngine(): Promise<EngineBrowser> {
  const browser = await launchAppBrowser({ isWhole: true });
  const page = await browser.newPage();
  const frame = (): Frame => {
    const [, framed] = page.frames();
    // Not the page in its place, whose list has words of the mail too.
    if (!framed) throw new Error('The page has no frame yet.');
    return framed;
  };
  return {
    async goto(url) {
      await page.goto(url);
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: (expression) => page.evaluate<unknown>(expression),
    evaluateInFrame: async (expression) => frame().evaluate<unknown>(expression),
    clickInFrame: async (selector) => frame().click(selector),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
