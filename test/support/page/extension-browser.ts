// Chromium with the extension, unpacked as it is for its store, and a server for pages with forms.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type BrowserContext, type CDPSession, chromium, type Page, type Worker } from 'playwright-core';

import { buildExtension } from '../../../scripts/build-extension.mjs';
import { eventually } from '../eventually.ts';
import { wholeBrowser } from './chromium.ts';

export interface ExtensionSettings {
  readonly service: string;
  readonly apiKey?: string;
  readonly lifetime?: number;
  readonly places: 'click' | 'sites' | 'every';
}

export interface ExtensionBrowser {
  readonly context: BrowserContext;
  readonly id: string;
  /** Bytes of the package for each store, and the manifest of this one's. */
  readonly packed: readonly number[];
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Returns the running worker. */
  worker(): Promise<Worker>;
  /** Does what the options page does, with the person's consent to it. */
  choose(settings: ExtensionSettings): Promise<void>;
  /** Presses the toolbar's button in the page's tab. */
  pressButton(page: Page): Promise<void>;
  /** Ends the worker, as the browser does after thirty idle seconds. */
  endWorker(): Promise<void>;
  close(): Promise<void>;
}

/** `granted`: hosts to which the person has said yes. The browser's own question cannot be answered by a program. */
export async function launchExtension(granted: readonly string[]): Promise<ExtensionBrowser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-extension-'));
  const { chrome: built, firefox } = await buildExtension(path.join(folder, 'built'));
  const manifestFile = path.join(built.folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Record<string, unknown>;
  await writeFile(manifestFile, JSON.stringify({ ...manifest, host_permissions: granted }));
  const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    executablePath: wholeBrowser,
    timeout: 90_000,
    viewport: { width: 1000, height: 800 },
    ignoreHTTPSErrors: true,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--enable-unsafe-extension-debugging',
      '--disable-features=DisableLoadExtensionCommandLineSwitch',
      `--disable-extensions-except=${built.folder}`,
      `--load-extension=${built.folder}`,
      '--host-resolver-rules=MAP * 127.0.0.1',
    ],
  });
  const find = (): Worker | undefined =>
    context.serviceWorkers().find((worker) => worker.url().endsWith('/worker.js'));
  const first = find() ?? (await context.waitForEvent('serviceworker'));
  const id = new URL(first.url()).host;
  // The extension opens its options by itself when it is installed.
  const options = await eventually(
    async () => context.pages().find((page) => page.url() === `chrome-extension://${id}/view.html`),
    'the options are open',
  );
  await options.locator('form').waitFor();
  return {
    context,
    id,
    packed: [built.bytes, firefox.bytes],
    manifest,
    worker: async () => eventually(async () => find(), 'the worker runs'),
    choose: (settings) => choose(options, settings),
    pressButton: async (page) => {
      const whole = await context.browser()?.newBrowserCDPSession();
      const tabs = await whole?.send('Target.getTargets', { filter: [{ type: 'tab' }] });
      const tab = tabs?.targetInfos.find(({ url }) => url === page.url());
      await whole?.send('Extensions.triggerAction', { id, targetId: tab?.targetId ?? '' });
      await whole?.detach();
    },
    endWorker: () => endWorker(context, id),
    close: async () => {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const everyHost = ['http://*/*', 'https://*/*'];

async function choose(options: Page, settings: ExtensionSettings): Promise<void> {
  const { service, places, apiKey = '', lifetime = 0 } = settings;
  await options.locator('input.url').fill(service);
  await options.locator('input[type=password]').fill(apiKey);
  await options.locator('select').selectOption(String(lifetime));
  await options.locator(`input[value=${places}]`).check();
  await options.locator('button.act').click();
  await options.locator('.result:not(:empty)').waitFor();
  const result = await options.locator('.result').getAttribute('class');
  const words = await options.locator('.result').textContent();
  if (result?.includes('is-wrong')) throw new Error(`The options refused: ${words ?? ''}`);
  await options.close();
}

async function endWorker(context: BrowserContext, id: string): Promise<void> {
  const whole = await context.browser()?.newBrowserCDPSession();
  const { targetInfos } = (await whole?.send('Target.getTargets')) ?? { targetInfos: [] };
  const target = targetInfos.find(({ type, url }) => type === 'service_worker' && url.includes(id));
  if (target) await whole?.send('Target.closeTarget', { targetId: target.targetId });
  await whole?.detach();
}

interface DomNode {
  readonly backendNodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
  readonly contentDocument?: DomNode;
}

/** Finds what the extension put into the page, in closed shadow roots, by the name of its class. */
export async function findInside(page: Page, className: string): Promise<Place | undefined> {
  const session = await page.context().newCDPSession(page);
  try {
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
    for (const node of matching(root, className)) {
      const place = await placeOf(session, node.backendNodeId);
      if (place) return place;
    }
    return undefined;
  } finally {
    await session.detach();
  }
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

function matching(node: DomNode, className: string): readonly DomNode[] {
  const { attributes = [], children = [], shadowRoots = [], contentDocument } = node;
  const classes = attributes[attributes.indexOf('class') + 1]?.split(' ') ?? [];
  const own = attributes.includes('class') && classes.includes(className) ? [node] : [];
  const inner = [...children, ...shadowRoots, ...(contentDocument ? [contentDocument] : [])];
  return [...own, ...inner.flatMap((child) => matching(child, className))];
}

/** Undefined for what is not shown. */
async function placeOf(session: CDPSession, backendNodeId: number): Promise<Place | undefined> {
  const quads = await session.send('DOM.getContentQuads', { backendNodeId }).then(
    (answer) => answer.quads,
    () => [],
  );
  const [quad] = quads;
  if (!quad) return undefined;
  const { object } = await session.send('DOM.resolveNode', { backendNodeId });
  const { result } = await session.send('Runtime.callFunctionOn', {
    ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
    functionDeclaration: 'function () { return this.textContent; }',
  });
  const [left = 0, top = 0, right = 0, , , bottom = 0] = quad;
  return { x: (left + right) / 2, y: (top + bottom) / 2, text: String(result.value) };
}

/** Waits until the extension shows it, and clicks it as a person does. */
export async function clickInside(page: Page, className: string): Promise<Place> {
  const place = await eventually(() => findInside(page, className), `the page shows .${className}`);
  await page.mouse.click(place.x, place.y);
  return place;
}
