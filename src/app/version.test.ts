import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, inject, it } from 'vitest';

import { version } from './version.ts';

const packaged = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

it('is the version of the package, read from the sources', () => {
  expect(version).toBe(packaged);
});

it('is the same read from the build', async () => {
  const built = pathToFileURL(path.join(inject('modulesDir'), 'app/version.js')).href;
  const module = (await import(/* @vite-ignore */ built)) as { version: string };
  expect(module.version).toBe(packaged);
});
