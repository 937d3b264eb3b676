#!/usr/bin/env node
// The command `mayfly`. In a clone it runs the current build of src/, building first if that has changed; in the
// published package it runs dist/. The service runs in this process, so signals reach it.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const isClone = existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
if (isClone) {
  // A separate process, because the compiler would stay in the service's memory.
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { ensureBuilt } = await import('../scripts/build.mjs');
  const folder = await ensureBuilt();
  await import(pathToFileURL(`${folder}/main.js`).href);
} else {
  await import(new URL('../dist/main.js', import.meta.url).href);
}
