// The files every start of the service loads, and every start of its page.

import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { ensureBuilt } from '../../scripts/build.mjs';

/** Files loaded at start: the entry and its imports, without those loaded on demand. */
let files: Map<string, string>;
let inSendmail: string;

async function readWithImports(folder: string, name: string): Promise<void> {
  if (files.has(name)) return;
  const code = await readFile(path.join(folder, name), 'utf8');
  files.set(name, code);
  for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*["']\.\/(main\d*\.[^"']+)["']/g)) {
    await readWithImports(folder, imported);
  }
}

describe('the bundle of the service', () => {
  beforeAll(async () => {
    files = new Map();
    const folder = await ensureBuilt();
    await readWithImports(folder, 'main.js');
    // With what the command `serve` loads.
    await readWithImports(folder, 'main.service.js');
    inSendmail = await readFile(path.join(folder, 'main.sendmail-command.js'), 'utf8');
  }, 300_000);

  it('names the packages it excludes', () => {
    const code = [...files.values()].join('\n');
    for (const name of [
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      '@fastify/proxy-addr',
      'light-my-request',
      'semver',
      'thread-stream',
    ]) {
      expect(code).toContain(`${name} is left out of the bundle.`);
    }
  });

  it('loads dialects and PostgreSQL only on demand', () => {
    expect(files.get('main.service.js')).toContain('createHttpServer');
    expect([...files.keys()]).not.toContain('main.create-compat-server.js');
    expect([...files.keys()]).not.toContain('main.open-postgres-store.js');
  });

  it('is a handful of files, and programs that call sendmail do not wait for the service’s', () => {
    expect(files.size).toBeLessThan(10);
    expect(inSendmail).not.toContain('main.service.js');
  });

  it('is hardly more than a megabyte to read through', () => {
    const bytes = [...files.values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0);
    expect(bytes).toBeLessThan(1_060_000);
  });
});

const kilobyte = 1000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isEntry?: boolean;
}

it('the page starts with at most 55 KB of gzip-compressed JavaScript and CSS', async () => {
  const web = path.join(await ensureBuilt(), 'web');
  const chunks = JSON.parse(readFileSync(path.join(web, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const initial = new Set<string>();
  const add = ({ file, imports = [], css = [] }: Chunk): void => {
    for (const name of [file, ...css]) initial.add(name);
    for (const name of imports) add(chunks[name]!);
  };
  add(Object.values(chunks).find(({ isEntry }) => isEntry)!);
  const bytes = [...initial].reduce((sum, file) => sum + statSync(path.join(web, `${file}.gz`)).size, 0);
  expect(bytes).toBeGreaterThan(10 * kilobyte);
  expect(bytes).toBeLessThanOrEqual(55 * kilobyte);
});
