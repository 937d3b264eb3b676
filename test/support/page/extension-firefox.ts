// Firefox with the extension, installed and driven over WebDriver BiDi.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { WebSocket } from 'ws';

import { buildExtension } from '../../../scripts/build-extension.mjs';
import { eventually } from '../eventually.ts';
import { freePort } from '../servers/free-port.ts';

const extensionId = 'extension@mayfly.example';
const uuid = '6a1f9f2e-0d5b-4b7a-9c1e-3c5d2b7f8a10';

export interface FirefoxWithExtension {
  /** URL of the extension's own pages. */
  readonly origin: string;
  goto(url: string): Promise<void>;
  /** Opens a page whose certificate nothing vouches for, and accepts it as a person does. */
  acceptCertificate(url: string): Promise<void>;
  /** Runs an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Runs an expression in the frame at `HOST/PATH`, however deep it lies. */
  evaluateIn(place: string, expression: string): Promise<unknown>;
  /** Presses the mouse as a person does. */
  click(x: number, y: number): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

class Bidi {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  async send(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#id;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { type, result = {}, error, message } = await answered;
    this.#waiting.delete(id);
    if (type === 'error') throw new Error(`${method}: ${error ?? ''} ${message ?? ''}`);
    return result;
  }

  async evaluate(context: string, expression: string): Promise<unknown> {
    const { result, exceptionDetails } = (await this.send('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result?.value ?? 'null') as unknown;
  }

  close(): void {
    this.#socket.close();
  }
}

interface Tree {
  readonly context: string;
  readonly url: string;
  readonly children: readonly Tree[] | null;
}

function placeOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`;
}

function flatten(trees: readonly Tree[]): readonly Tree[] {
  return trees.flatMap((tree) => [tree, ...flatten(tree.children ?? [])]);
}

interface Answer {
  readonly type: string;
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: string;
  readonly message?: string;
}

/** `hosts` are names that mean this machine. */
export async function launchFirefoxWithExtension(hosts: readonly string[]): Promise<FirefoxWithExtension> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-firefox-'));
  const { firefox: built } = await buildExtension(path.join(folder, 'built'));
  const port = await freePort();
  const preferences = {
    'app.update.enabled': false,
    'network.proxy.type': 0,
    'network.dns.localDomains': hosts.join(','),
    // The question that a person would answer.
    'extensions.webextOptionalPermissionPrompts': false,
    'extensions.webextensions.uuids': JSON.stringify({ [extensionId]: uuid }),
    'remote.log.level': 'Warn',
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  writeFileSync(path.join(folder, 'user.js'), lines.join('\n'));
  const child = spawn(
    'firefox-esr',
    [
      '-headless',
      '-no-remote',
      `--remote-debugging-port=${port}`,
      '--remote-allow-system-access',
      '-profile',
      folder,
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: folder, MOZ_DISABLE_CONTENT_SANDBOX: '1' } },
  );
  const socket = await eventually(() => connect(port), 'Firefox listens');
  const bidi = new Bidi(socket);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('webExtension.install', { extensionData: { type: 'path', path: built.folder } });
  const { context } = (await bidi.send('browsingContext.create', { type: 'tab' })) as { context: string };
  const click = async (x: number, y: number): Promise<void> => {
    const at = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
    const actions = [at, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await bidi.send('input.performActions', {
      context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    });
  };
  /** @returns whether it was there; it may not have taken the click, as when its page is just leaving */
  const press = async (id: string): Promise<boolean> => {
    const place = (await bidi.evaluate(context, placeOfButton(id))) as [number, number] | null;
    if (!place) return false;
    await click(...place).catch((error: unknown) => {
      if (!String(error).includes('NS_ERROR_FAILURE')) throw error;
    });
    return true;
  };
  return {
    origin: `moz-extension://${uuid}`,
    acceptCertificate: async (url) => {
      const warned = await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' }).then(
        () => '',
        (error: unknown) => String(error),
      );
      if (!warned.includes('SELF_SIGNED')) throw new Error(`Firefox did not warn of ${url}: ${warned}`);
      await eventually(async () => {
        if (((await bidi.evaluate(context, 'document.URL')) as string).startsWith(url)) return true;
        // The first opens the second, and moves it.
        if (!(await press('exception-button'))) await press('advanced-button');
        return undefined;
      }, 'the page is there');
    },
    goto: async (url) => {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    evaluate: (expression) => bidi.evaluate(context, expression),
    evaluateIn: async (place, expression) => {
      const frame = await eventually(async () => {
        const { contexts } = (await bidi.send('browsingContext.getTree', { root: context })) as {
          contexts: Tree[];
        };
        return flatten(contexts).find(({ url }) => placeOf(url) === place);
      }, `there is a frame of ${place}`);
      return bidi.evaluate(frame.context, expression);
    },
    click,
    screenshot: async () => {
      const { data } = await bidi.send('browsingContext.captureScreenshot', { context });
      return Buffer.from(String(data), 'base64');
    },
    close: async () => {
      bidi.close();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Finds a button of Firefox's own warning, which lies in components. */
function placeOfButton(id: string): string {
  return `(() => {
    const find = (root) => {
      for (const element of root.querySelectorAll('*')) {
        const { width } = element.getBoundingClientRect();
        const found = element.id === '${id}' && width > 0 ? element : element.shadowRoot && find(element.shadowRoot);
        if (found) return found;
      }
      return null;
    };
    const button = find(document);
    button?.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = button?.getBoundingClientRect() ?? {};
    return button && [left + width / 2, top + height / 2];
  })()`;
}

async function connect(port: number): Promise<WebSocket | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/session`, { headers: {} });
  return new Promise<WebSocket | undefined>((resolve) => {
    socket.once('open', () => {
      resolve(socket);
    });
    socket.once('error', () => {
      resolve(undefined);
    });
  });
}
