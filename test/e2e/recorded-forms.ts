// Tests of the extension on recorded sign-up forms: the right field gets the address, and no other ever does. The two
// test files beside it say on which.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  everyHost,
  type ExtensionBrowser,
  findInside,
  launchExtension,
} from '../support/page/extension-browser.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { eventually } from '../support/eventually.ts';

interface Report {
  readonly hasCode: boolean;
  readonly hasEmptyEmail: boolean;
}

interface World {
  /** Asks the content script what it finds. */
  report(): Promise<Report>;
  /** Runs an expression beside the content script. */
  evaluate(expression: string): Promise<unknown>;
}

async function watchWorlds(page: Page): Promise<World> {
  const session = await page.context().newCDPSession(page);
  let world: number | undefined;
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.origin.includes(browser.id)) world = context.id;
  });
  session.on('Runtime.executionContextsCleared', () => {
    world = undefined;
  });
  await session.send('Runtime.enable');
  const evaluate = async (expression: string): Promise<unknown> => {
    if (world === undefined) return undefined;
    const options = { contextId: world, awaitPromise: true, returnByValue: true };
    return (await session.send('Runtime.evaluate', { ...options, expression })).result.value;
  };
  const report = async (): Promise<Report> =>
    eventually(
      async () => ((await evaluate('globalThis.mayfly?.report()')) as Report | undefined) ?? undefined,
      'the content script has looked at the page',
    );
  return { report, evaluate };
}

/** Values by what is expected of each field; `other` for the rest. */
const readValues = `(() => {
  const found = { email: [], repeat: [], code: [], other: [] };
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const inner = element.shadowRoot ?? element.innerForTest ?? element.contentDocument;
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
  readonly code: readonly string[];
  readonly other: readonly string[];
}

let service: AppService;
let browser: ExtensionBrowser;
let pages: ExtensionPages;
let page: Page;
let world: World;

async function open(): Promise<void> {
  [service, browser, pages] = await Promise.all([
    startAppService(),
    launchExtension(everyHost),
    servePages(),
  ]);
  await browser.choose({ service: service.url, places: 'every' });
  page = await browser.context.newPage();
  await page.addInitScript(keepShadows);
  world = await watchWorlds(page);
}

async function close(): Promise<void> {
  pages.close();
  await browser.close();
  await service.close();
}

export function testForms(names: readonly string[]): void {
  beforeAll(open);
  afterAll(close);

  it.each(names.filter((name) => !name.startsWith('no-') && !name.startsWith('code-')))(
    'fills the e-mail field of %s and no other',
    fillEmail,
  );
  it.each(names.filter((name) => name.startsWith('no-')))('leaves %s alone', leaveAlone);
  it.each(names.filter((name) => name.startsWith('code-')))(
    'fills the code of %s and nothing else',
    fillCode,
  );
}

async function fillEmail(name: string): Promise<void> {
  await page.goto(pages.urlOf(name));
  const before = await page.evaluate<Values>(readValues);
  const icon = await eventually(() => findInside(page, 'icon'), `${name} has an icon`);
  await page.mouse.click(icon.x, icon.y);
  const values = await eventually(async () => {
    const now = await page.evaluate<Values>(readValues);
    return JSON.stringify(now) === JSON.stringify(before) ? undefined : now;
  }, `${name} is filled`);
  expect(values.email).toEqual([expect.stringMatching(/^[a-z0-9.-]+@mayfly\.test$/)]);
  expect(values.repeat.every((value) => value === values.email[0])).toBe(true);
  expect(values.other).toEqual(before.other);
}

async function leaveAlone(name: string): Promise<void> {
  await page.goto(pages.urlOf(name));
  const { hasCode, hasEmptyEmail } = await world.report();
  expect({ hasCode, hasEmptyEmail }).toEqual({ hasCode: false, hasEmptyEmail: false });
  expect(await findInside(page, 'icon')).toBeUndefined();
}

async function fillCode(name: string): Promise<void> {
  await page.goto(pages.urlOf(name));
  const { hasCode, hasEmptyEmail } = await world.report();
  expect({ hasCode, hasEmptyEmail }).toEqual({ hasCode: true, hasEmptyEmail: false });
  expect(await findInside(page, 'icon')).toBeUndefined();
  const before = await page.evaluate<Values>(readValues);
  const code = '48291375'.slice(0, before.code.length === 1 ? 6 : before.code.length);
  await world.evaluate(`mayfly.press({ kind: 'press', origin: self.origin, code: '${code}' })`);
  const values = await page.evaluate<Values>(readValues);
  expect(values.code.join('')).toBe(code);
  expect({ ...values, code: [] }).toEqual({ ...before, code: [] });
}
