#!/usr/bin/env node
// The command `mayfly`. In a clone it runs the current build of src/, building first when that has changed;
// in the published package it runs dist/. The service runs in this very process, so signals reach it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isClone = existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
if (isClone) {
  const { ensureBuilt } = await import('../scripts/build.mjs');
  const { pathToFileURL } = await import('node:url');
  const folder = await ensureBuilt();
  await import(pathToFileURL(`${folder}/main.js`).href);
} else {
  await import(new URL('../dist/main.js', import.meta.url).href);
}
