// The extension on recorded sign-up forms: the right field gets the address, and no other ever does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  everyHost,
  type ExtensionBrowser,
  findInside,
  launchExtension,
} from '../support/page/extension-browser.ts';
import { type ExtensionPages, listForms, servePages } from '../support/page/extension-pages.ts';
import { eventually } from '../support/eventually.ts';

let service: AppService;
let browser: ExtensionBrowser;
let pages: ExtensionPages;
beforeAll(async () => {
  [service, browser, pages] = await Promise.all([
    startAppService(),
    launchExtension(everyHost),
    servePages(),
  ]);
  await browser.choose({ service: service.url, places: 'every' });
});
afterAll(async () => {
  pages.close();
  await browser.close();
  await service.close();
});

interface Report {
  readonly hasCode: boolean;
  readonly hasEmptyEmail: boolean;
}

/** Asks the content script, in its own world, what it finds. */
async function watchWorlds(page: Page): Promise<{ session: CDPSession; report(): Promise<Report> }> {
  const session = await page.context().newCDPSession(page);
  let world: number | undefined;
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.origin.includes(browser.id)) world = context.id;
  });
  session.on('Runtime.executionContextsCleared', () => {
    world = undefined;
  });
  await session.send('Runtime.enable');
  const report = async (): Promise<Report> =>
    eventually(async () => {
      if (world === undefined) return undefined;
      const { result } = await session.send('Runtime.evaluate', {
        contextId: world,
        expression: 'globalThis.mayfly?.report()',
        returnByValue: true,
      });
      return (result.value as Report | undefined) ?? undefined;
    }, 'the content script has looked at the page');
  return { session, report };
}

/** Values by what is expected of each field; `other` for the rest. */
const readValues = `(() => {
  const found = { email: [], repeat: [], other: [] };
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot ?? element.innerForTest;
      if (inner) visit(inner);
      if (element.localName !== 'input' && element.localName !== 'textarea') continue;
      if (['hidden', 'submit', 'checkbox', 'radio'].includes(element.type)) continue;
      (found[element.dataset.expect] ?? found.other).push(element.value);
    }
  };
  visit(document);
  return found;
})()`;
/** Lets the test look into closed shadow roots. */
const keepShadows = `const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (init) {
  const root = attach.call(this, init);
  this.innerForTest = root;
  return root;
};`;

interface Values {
  readonly email: readonly string[];
  readonly repeat: readonly string[];
  readonly other: readonly string[];
}

const names = listForms();

describe('recorded forms', () => {
  let page: Page;
  let worlds: Awaited<ReturnType<typeof watchWorlds>>;
  beforeAll(async () => {
    page = await browser.context.newPage();
    await page.addInitScript(keepShadows);
    worlds = await watchWorlds(page);
  });

  it('are at least sixty', () => {
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it.each(names.filter((name) => !name.startsWith('no-') && !name.startsWith('code-')))(
    'fills the e-mail field of %s and no other',
    async (name) => {
      await page.goto(pages.urlOf(name));
      const icon = await eventually(() => findInside(page, 'icon'), `${name} has an icon`);
      await page.mouse.click(icon.x, icon.y);
      const values = await eventually(async () => {
        const now = await page.evaluate<Values>(readValues);
        return [...now.email, ...now.repeat, ...now.other].some((value) => value !== '') ? now : undefined;
      }, `${name} is filled`);
      expect(values.email).toEqual([expect.stringMatching(/^[a-z0-9.-]+@mayfly\.test$/)]);
      expect(values.repeat.every((value) => value === values.email[0])).toBe(true);
      expect(values.other.filter((value) => value !== '')).toEqual([]);
    },
  );

  it.each(names.filter((name) => name.startsWith('no-') || name.startsWith('code-')))(
    'leaves %s alone',
    async (name) => {
      await page.goto(pages.urlOf(name));
      const { hasCode, hasEmptyEmail } = await worlds.report();
      expect(hasEmptyEmail).toBe(false);
      expect(hasCode).toBe(name.startsWith('code-'));
      expect(await findInside(page, 'icon')).toBeUndefined();
    },
  );
});
