// A browser of any engine with one page, as far as the checks of test/e2e/engines.test.ts need it.
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
  const frame = () => page.frames()[1] ?? page.mainFrame();
  return {
    async goto(url) {
      await page.goto(url);
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: (expression) => page.evaluate<unknown>(expression),
    evaluateInFrame: (expression) => frame().evaluate<unknown>(expression),
    clickInFrame: (selector) => frame().click(selector),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
