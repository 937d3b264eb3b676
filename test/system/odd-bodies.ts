// No body and no query keeps the main thread busy for long: every route of every listener gets the oddest that it
// reads, up to the size that it reads. Routes are collected from the operations and dialects themselves. For the tests
// with a part of the bodies and with all of them.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { spawn } from 'node:child_process';

import { afterAll, beforeAll, expect, inject } from 'vitest';

import type { SessionRoute } from '../../src/compat/dialect.ts';
import { dialects } from '../../src/compat/dialects.ts';
import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { createTurnWatch, type TurnWatch } from '../support/service/turn-watch.ts';

type Route = Pick<SessionRoute, 'method' | 'path' | 'bodyMaxBytes'>;

/** Makes a body; `size` is what the route reads. */
type MakeBody = (size: number) => { readonly type: string; readonly body: string };

const repeat = (text: string, size: number): string =>
  text.repeat(Math.max(1, Math.floor(size / text.length)));
const json =
  (make: (size: number) => string): MakeBody =>
  (size) => ({ type: 'application/json', body: make(size) });
const form =
  (make: (size: number) => string): MakeBody =>
  (size) => ({ type: 'application/x-www-form-urlencoded', body: make(size) });
const multipart =
  (make: (size: number) => string): MakeBody =>
  (size) => ({ type: 'multipart/form-data; boundary=b', body: `${make(size)}\r\n--b--\r\n` });
const part = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;

/** Larger bodies are read in a thread, so that more bytes of them show nothing more. */
const largestBytes = 512 * 1024;

/** The names of every parameter that some route reads into a list or a text. */
const names = [
  'IDs',
  'Text',
  'HTML',
  'Attachments',
  'To',
  'Headers',
  'address',
  'subject',
  'email_ids[]',
  'prefix',
];

const bodies: Readonly<Record<string, MakeBody>> = {
  'one member many times': json((size) => `{${repeat('"a":1,', size - 20)}"a":1}`),
  'many members': json(
    (size) =>
      `{${Array.from({ length: size / 13 }, (_, i) => `"${String(i).padStart(7, 'a')}":1`).join(',')}}`,
  ),
  'many levels': json((size) => repeat('[', size / 2) + repeat(']', size / 2)),
  'many levels of objects': json((size) => repeat('{"a":', size - 10)),
  'many objects in every list': json(
    (size) => `{${names.map((name) => `"${name}":[${repeat('{},', size / 11 - 20)}{}]`).join(',')}}`,
  ),
  'many texts in every list': json(
    (size) => `{${names.map((name) => `"${name}":[${repeat('"1",', size / 11 - 20)}"1"]`).join(',')}}`,
  ),
  'long texts of escapes': json(
    (size) => `{${names.map((name) => `"${name}":"${repeat('\\ud800', size / 11 - 20)}"`).join(',')}}`,
  ),
  'long texts of letters': json(
    (size) => `{${names.map((name) => `"${name}":"${repeat('é', size / 22 - 20)}"`).join(',')}}`,
  ),
  'a text of quotes': json((size) => `{"subject":"${repeat('\\"', size - 20)}"}`),
  'no JSON': json((size) => repeat('"', size)),
  'a message with large files': json((size) => {
    const file = `{"Filename":"x","Content":"${repeat('QUJD', size / 4 - 100)}"}`;
    return `{"From":{"Email":"a@b.example"},"Attachments":[${file},${file},${file}]}`;
  }),
  'a message of much text': json(
    (size) => `{"From":{"Email":"a@b.example"},"HTML":"${repeat('<b>&amp;é', size - size / 9 - 200)}"}`,
  ),
  'many fields': form((size) => repeat('a&', size)),
  'many ids': form((size) => repeat('ids=%31&', size)),
  'many encoded fields': form((size) => repeat('%61=%C3%A9&', size)),
  'one long encoded field': form((size) => `prefix=${repeat('%C3%A9', size - 10)}`),
  'many parts': multipart((size) => repeat(`\r\n${part('prefix')}`, size - 10)),
  'one long part': multipart((size) => `${part('prefix')}${repeat('\r\n--', size - 200)}`),
  'part headers without an end': multipart((size) => `--b\r\n${repeat('a: b;"\\\r\n', size - 200)}`),
  nothing: () => ({ type: 'text/plain', body: '' }),
};

const queries: Readonly<Record<string, string>> = {
  'many names': repeat('a&', 15_000),
  'many encoded names': repeat('%61=%C3%A9&', 15_000),
  'a long search': `query=${repeat('a%20', 1900)}&kind=containing&f=get_email_list`,
};

async function mainRoutes(): Promise<Route[]> {
  const document = (await (await fetch(`${mayfly.origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => ({ path: at, method: method.toUpperCase() as Route['method'] })),
  );
}

interface Listener {
  readonly origin: string;
  readonly child: ChildProcess;
  readonly watch: TurnWatch;
  readonly bytesMax: number;
  readonly credentials: () => Promise<string>;
}

interface Extent {
  /** Each route gets one body of so many, the next routes the others. */
  readonly parts: number;
  readonly boundMs: number;
}

/** Returns the longest turn for each of the bodies that exceeds the bound each time: the first compiles the code. */
async function tooLong(
  route: Route,
  listener: Listener,
  sent: readonly (readonly [string, MakeBody])[],
  boundMs: number,
): Promise<Record<string, number>> {
  const { origin, child, credentials, watch: ofListener } = listener;
  const size = Math.min(route.bodyMaxBytes ?? listener.bytesMax, largestBytes);
  const found: Record<string, number> = {};
  const measure = async (name: string, send: () => Promise<unknown>): Promise<void> => {
    const turns: number[] = [];
    while (turns.length < 3) {
      await send();
      turns.push(await ofListener.longest(child));
      if (Math.min(...turns) < boundMs) return;
    }
    found[name] = Math.min(...turns);
  };
  const ask = async (query: string, init: RequestInit): Promise<void> => {
    const headers = { authorization: `Bearer ${await credentials()}`, ...init.headers };
    const target = `${origin}${route.path.replace(/:\w+/g, '1')}?timeout=0&${query}`;
    const signal = AbortSignal.timeout(20_000);
    // A stream has no end; a body that is too large may break the connection off.
    await fetch(target, { ...init, method: route.method, headers, signal }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  };
  if (route.method !== 'GET') {
    for (const [name, make] of sent) {
      const { type, body } = make(size);
      await measure(name, () => ask('', { headers: { 'content-type': type }, body: body.slice(0, size) }));
    }
  }
  for (const [name, query] of Object.entries(queries)) await measure(name, () => ask(query, {}));
  return found;
}

async function expectShortTurns(
  routes: readonly Route[],
  listener: Listener,
  { parts, boundMs }: Extent,
): Promise<void> {
  const found: Record<string, object> = {};
  await listener.watch.longest(listener.child);
  for (const [number, route] of routes.entries()) {
    const sent = Object.entries(bodies).filter((_, at) => (at + number) % parts === 0);
    const long = await tooLong(route, listener, sent, boundMs);
    if (Object.keys(long).length > 0) found[`${route.method} ${route.path}`] = long;
  }
  expect(routes.length).toBeGreaterThan(0);
  expect(found).toEqual({});
}

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let watch: TurnWatch;
let mayfly: MayflyProcess;
let adminKey: string;
let key: string;

/** Some routes end the session. */
const lend = async (): Promise<string> => (await mayfly.lend()).token;

/** Starts a service for the tests of a file. */
export function useWatchedListeners(): void {
  beforeAll(async () => {
    folder = await createDataFolder();
    watch = createTurnWatch(folder.path);
    mayfly = await startMayfly(folder.path, {
      MAYFLY_LIMITS_RATE: 'off',
      MAYFLY_COMPAT_PORT: '0',
      MAYFLY_ADMIN_PORT: '0',
      ...watch.environment,
    });
    const addKey = async (...words: string[]): Promise<string> => {
      const made = await runMayfly(folder.path, ['key', 'add', ...words]);
      const [found] = /mf[ka]_[\w-]+/.exec(made.stdout) ?? [];
      if (found === undefined) throw new Error(`No key: ${made.stdout}${made.stderr}`);
      return found;
    };
    [key, adminKey] = [await addKey('one'), await addKey('ops', '--admin')];
  }, 240_000);

  afterAll(async () => {
    await mayfly.stop();
    await folder.remove();
  });
}

/** Name of a listener, and what sends its routes the bodies. */
export const listeners: Readonly<Record<string, (extent: Extent) => Promise<void>>> = {
  'the main interface': async (extent) => {
    const { origin, child } = mayfly;
    const listener = { origin, child, watch, bytesMax: 64 * 1024, credentials: lend };
    await expectShortTurns(await mainRoutes(), listener, extent);
  },
  'the dialects': async (extent) => {
    const { compatOrigin: origin = '', child } = mayfly;
    const listener = { origin, child, watch, bytesMax: 256 * 1024, credentials: lend };
    const routes = dialects.flatMap((dialect) => dialect.routes);
    await expectShortTurns(routes, listener, extent);
  },
  'the operator’s interface': async (extent) => {
    const { adminOrigin: origin = '', child } = mayfly;
    const credentials = (): Promise<string> => Promise.resolve(adminKey);
    const listener = { origin, child, watch, bytesMax: 64 * 1024, credentials };
    await expectShortTurns(adminOperations, listener, extent);
  },
  'the MCP server': async ({ boundMs }) => {
    const own = createTurnWatch(await mkdtemp(path.join(folder.path, 'mcp-')));
    const child = spawn(process.execPath, [path.join(inject('mcpDir'), 'main.js'), '--http', '0'], {
      env: { PATH: process.env['PATH'], MAYFLY_URL: mayfly.origin, ...own.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const { origin } = new URL(/^ready (\S+)/.exec(line)?.[1] ?? '');
      const credentials = (): Promise<string> => Promise.resolve(key);
      const route = { method: 'POST', path: '/mcp' } as const;
      const listener = { origin, child, watch: own, bytesMax: 64 * 1024, credentials };
      await expectShortTurns([route], listener, { parts: 1, boundMs });
    } finally {
      child.kill();
    }
  },
};
