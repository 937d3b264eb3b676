// Firefox and WebKit, driven by WebDriver's commands: over HTTP to WebKitWebDriver, and over Firefox's own socket
// (Marionette, which geckodriver would translate to). For the checks that every engine must pass.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { EngineBrowser } from './engine-browser.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../servers/free-port.ts';

/** WebDriver's commands used here: Firefox's name for each, and the path over HTTP. */
const commands = {
  newSession: ['WebDriver:NewSession', ''],
  navigate: ['WebDriver:Navigate', '/url'],
  execute: ['WebDriver:ExecuteScript', '/execute/sync'],
  switchFrame: ['WebDriver:SwitchToFrame', '/frame'],
  find: ['WebDriver:FindElement', '/element'],
  resize: ['WebDriver:SetWindowRect', '/window/rect'],
  screenshot: ['WebDriver:TakeScreenshot', '/screenshot'],
  click: ['WebDriver:ElementClick', ''],
} as const;
type Command = keyof typeof commands;

interface Driver {
  send(command: Command, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Xvfb chooses its own number and writes it. */
async function startScreen(): Promise<{ readonly display: string; close(): Promise<void> }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const pipe = child.stdio[3];
  if (!pipe) throw new Error('no pipe to Xvfb');
  const [number] = (await once(pipe, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, close: () => endProcess(child) };
}

async function startWebKitDriver(): Promise<Driver> {
  const screen = await startScreen();
  const port = await freePort();
  const child = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: screen.display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  });
  const base = `http://127.0.0.1:${port}/session`;
  const post = async (url: string, body: object): Promise<unknown> => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(JSON.stringify(value));
    return value;
  };
  const options = {
    'webkitgtk:browserOptions': {
      binary: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
      args: ['--automation'],
    },
  };
  const open = (): Promise<unknown> =>
    post(base, { capabilities: { alwaysMatch: options } }).then(
      (value) => value,
      // It does not listen yet.
      () => undefined,
    );
  const { sessionId } = (await eventually(open, 'WebKit starts')) as { sessionId: string };
  return {
    async send(command, parameters) {
      const { element, ...body } = parameters;
      const place = command === 'click' ? `/element/${String(element)}/click` : commands[command][1];
      if (command !== 'screenshot') return post(`${base}/${sessionId}${place}`, body);
      const answer = await fetch(`${base}/${sessionId}${place}`);
      return ((await answer.json()) as { value: unknown }).value;
    },
    async close() {
      await fetch(`${base}/${sessionId}`, { method: 'DELETE' });
      await endProcess(child);
      await screen.close();
    },
  };
}

/** Messages are `LENGTH:[type, id, …]`. */
class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: readonly [unknown, unknown]) => void>();
  #received = Buffer.alloc(0);
  #id = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#takeAll();
    });
  }

  #takeAll(): void {
    for (;;) {
      const colon = this.#received.indexOf(':');
      const length = Number(this.#received.subarray(0, Math.max(0, colon)).toString());
      if (colon === -1 || this.#received.length < colon + 1 + length) return;
      const text = this.#received.subarray(colon + 1, colon + 1 + length).toString();
      this.#received = this.#received.subarray(colon + 1 + length);
      const message = JSON.parse(text) as unknown;
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message as [number, number, unknown, unknown];
      this.#waiting.get(id)?.([error, result]);
    }
  }

  async send(name: string, parameters: object): Promise<unknown> {
    const id = ++this.#id;
    const text = JSON.stringify([0, id, name, parameters]);
    const answered = new Promise<readonly [unknown, unknown]>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [error, result] = await answered;
    this.#waiting.delete(id);
    if (error !== null) throw new Error(JSON.stringify(error));
    return result;
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function startFirefoxDriver(): Promise<Driver> {
  const profile = mkdtempSync(path.join(tmpdir(), 'mayfly-firefox-'));
  const port = await freePort();
  const preferences = { 'marionette.port': port, 'app.update.enabled': false, 'network.proxy.type': 0 };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${String(value)});`);
  writeFileSync(path.join(profile, 'user.js'), lines.join('\n'));
  const child = spawn('firefox-esr', ['-headless', '-marionette', '-no-remote', '-profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
  });
  const reach = async (): Promise<Socket | undefined> => {
    const socket = connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => socket,
      () => undefined,
    );
  };
  const marionette = new Marionette(await eventually(reach, 'Firefox starts'));
  await marionette.send(commands.newSession[0], {});
  return {
    async send(command, { element, ...parameters }) {
      const own = element === undefined ? parameters : { ...parameters, id: element };
      const result = await marionette.send(commands[command][0], own);
      return typeof result === 'object' && result !== null && 'value' in result ? result.value : result;
    },
    async close() {
      marionette.close();
      await endProcess(child);
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function toBrowser(driver: Driver): EngineBrowser {
  const evaluate = (expression: string): Promise<unknown> =>
    driver.send('execute', { script: `return (${expression})`, args: [] });
  const inFrame = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await driver.send('switchFrame', { id: 0 });
    try {
      return await work();
    } finally {
      await driver.send('switchFrame', { id: null });
    }
  };
  return {
    async goto(url) {
      await driver.send('navigate', { url });
    },
    async resize(width, height) {
      // The window has borders and bars of its own.
      await driver.send('resize', { x: 0, y: 0, width, height });
      const [wide, high] = (await evaluate('[innerWidth, innerHeight]')) as [number, number];
      await driver.send('resize', { x: 0, y: 0, width: 2 * width - wide, height: 2 * height - high });
    },
    evaluate,
    evaluateInFrame: (expression) => inFrame(() => evaluate(expression)),
    clickInFrame: (selector) =>
      inFrame(async () => {
        const found = await driver.send('find', { using: 'css selector', value: selector });
        const [element] = Object.values(found as Record<string, string>);
        await driver.send('click', { element });
      }),
    async screenshot() {
      return Buffer.from(String(await driver.send('screenshot', { full: false })), 'base64');
    },
    close: () => driver.close(),
  };
}

export async function launchFirefox(): Promise<EngineBrowser> {
  return toBrowser(await startFirefoxDriver());
}

export async function launchWebKit(): Promise<EngineBrowser> {
  return toBrowser(await startWebKitDriver());
}
