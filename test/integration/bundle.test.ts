// The files every start of the service loads.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { ensureBuilt } from '../../scripts/build.mjs';

/** Files loaded at start: the entry and its imports, without those loaded on demand. */
let files: Map<string, string>;

async function readWithImports(folder: string, name: string): Promise<void> {
  if (files.has(name)) return;
  const code = await readFile(path.join(folder, name), 'utf8');
  files.set(name, code);
  for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*["']\.\/(main\.[^"']+)["']/g)) {
    await readWithImports(folder, imported);
  }
}

describe('the bundle of the service', () => {
  beforeAll(async () => {
    files = new Map();
    const folder = await ensureBuilt();
    await readWithImports(folder, 'main.js');
    // Loaded by the command `serve`.
    await readWithImports(folder, 'main.run-service.js');
  }, 120_000);

  it('names the packages it excludes', () => {
    const code = [...files.values()].join('\n');
    for (const name of [
      '@fastify/ajv-compiler',
      '@fastify/fast-json-stringify-compiler',
      'light-my-request',
    ]) {
      expect(code).toContain(`${name} is left out of the bundle.`);
    }
  });

  it('loads dialects and PostgreSQL only on demand', () => {
    expect([...files.keys()]).toContain('main.create-http-server.js');
    expect([...files.keys()]).not.toContain('main.create-compat-server.js');
    expect([...files.keys()]).not.toContain('main.open-postgres-store.js');
  });

  it('is hardly more than a megabyte to read through', () => {
    const bytes = [...files.values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0);
    expect(bytes).toBeLessThan(1_060_000);
  });
});
