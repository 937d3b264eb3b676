// Chromium with the extension, which all its pictures share, and the pages of a shop and of its sign-up.
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

import type { AppService } from '../../support/page/app-page.ts';
import {
  clickInside,
  everyHost,
  type ExtensionBrowser,
  findInside,
  launchExtension,
} from '../../support/page/extension-browser.ts';
import { type ExtensionPages, servePages } from '../../support/page/extension-pages.ts';
import { eventually } from '../../support/eventually.ts';
import { type Look, shapes } from './look.ts';

export interface ExtensionStage {
  /** Opens a page of a site. */
  openSite(look: Look, host: string, body: string): Promise<Page>;
  /** Opens a page of the extension itself. */
  openOwn(look: Look, place: string): Promise<Page>;
  close(): Promise<void>;
}

export async function startExtension(service: AppService): Promise<ExtensionStage> {
  const [browser, pages] = await Promise.all([launchExtension(everyHost), servePages()]);
  await browser.choose({ service: service.url, places: 'every' });
  return {
    openSite: async (look, host, body) => {
      const page = await openPage(browser, look);
      await page.goto(pages.add(host, '/', { body }));
      return page;
    },
    openOwn: async (look, place) => {
      const page = await openPage(browser, look);
      await page.goto(`chrome-extension://${browser.id}/view.html${place}`);
      return page;
    },
    close: () => end(browser, pages),
  };
}

async function openPage({ context }: ExtensionBrowser, { shape, colorScheme }: Look): Promise<Page> {
  const page = await context.newPage();
  onTestFinished(() => page.close());
  await page.setViewportSize(shapes[shape].viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  return page;
}

async function end(browser: ExtensionBrowser, pages: ExtensionPages): Promise<void> {
  pages.close();
  await browser.close();
}

const shop = (title: string, form: string): string => `<!doctype html><html lang="en"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>
:root { color-scheme: light dark; font: 16px/24px system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f1fa, #14121c); }
main { box-sizing: border-box; width: min(420px, calc(100vw - 32px)); padding: 32px; border-radius: 16px; background: light-dark(#fff, #1f1c2b); }
h1 { margin: 0 0 24px; font-size: 24px; line-height: 32px; } label { display: grid; gap: 6px; margin-bottom: 16px; }
input { font: inherit; padding: 10px 12px; border: 1px solid light-dark(#b9b3cc, #565070); border-radius: 8px; background: none; }
main > button, form > button { font: inherit; font-weight: 600; width: 100%; padding: 12px; border: 0; border-radius: 8px; background: #5f3dc4; color: #fff; }
.boxes { display: flex; gap: 8px; margin-bottom: 16px; } .boxes input { width: 44px; padding: 10px 0; text-align: center; }
</style><main><h1>${title}</h1>${form}</main></html>`;

const field = '<label>Email <input type="email" id="email" name="email"></label>';
const box =
  '<input maxlength="1" inputmode="numeric" aria-label="Digit" oninput="this.nextElementSibling?.focus()">';

export const signUpPage = shop('Create your account', `<form>${field}<button>Sign up</button></form>`);
export const codePage = shop(
  'Confirm your email',
  `<form>${field}<label>Verification code <input id="code" autocomplete="one-time-code" inputmode="numeric"></label><button>Confirm</button></form>`,
);
export const boxesPage = shop(
  'Confirm your email',
  `<form>${field}<p>Verification code</p><div class="boxes">${box.repeat(6)}</div><button>Confirm</button></form>`,
);

/** Has the extension fill in an address. @returns it */
export async function fillAddress(page: Page): Promise<string> {
  await clickInside(page, 'icon');
  const value = (): Promise<string> => page.locator('#email').inputValue();
  return eventually(async () => (await value()) || undefined, 'the address is filled in');
}

export async function untilOffered(page: Page, className: string): Promise<void> {
  await eventually(() => findInside(page, className), `the page shows .${className}`);
}
