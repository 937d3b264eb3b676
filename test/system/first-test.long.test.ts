// The other pages of docs/first-test, run as printed: Python, Go, and SES with Playwright.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { createFolder, createGoFolder, python, pythonPath } from '../support/clients/client-folders.ts';
import { firstTestCommand, runPrinted } from '../support/clients/first-test.ts';
import { installClients } from '../support/clients/installed-clients.ts';
import { headlessShell } from '../support/page/chromium.ts';
import { printedLines } from '../support/printed-lines.ts';
import { freePort } from '../support/servers/free-port.ts';
import { rootOf, startDev } from '../support/service/dev-process.ts';

it('Python: signs up', { timeout: 240_000 }, async () => {
  const folder = await createFolder();
  cpSync('examples/first-test-python', folder, { recursive: true });
  mkdirSync(path.join(folder, '.bin'));
  // The plugin is found by its entry point when it is installed.
  const pytest = `#!/bin/sh\nexec "${python}" -m pytest -p mayfly_client.pytest_plugin "$@"\n`;
  writeFileSync(path.join(folder, '.bin', 'pytest'), pytest, { mode: 0o755 });
  expect(await runPrinted(firstTestCommand('python.md'), folder, pythonPath)).toContain('1 passed');
});

it('Go: signs up', { timeout: 240_000 }, async () => {
  const folder = await createGoFolder();
  cpSync('examples/first-test-go', folder, { recursive: true });
  expect(await runPrinted(firstTestCommand('go.md'), folder, { GOFLAGS: '-mod=mod' })).toMatch(/^ok\s/m);
});

/** The repository of the example, with its packages; its port is free. */
async function installShop(): Promise<{ readonly folder: string; readonly env: NodeJS.ProcessEnv }> {
  const others = ['@playwright/test', 'playwright', 'playwright-core'];
  const { path: folder, remove } = await installClients(['typescript', 'playwright'], others);
  onTestFinished(remove);
  cpSync('examples/ses-playwright', folder, { recursive: true });
  symlinkSync(
    path.resolve('node_modules/.test-clients/node_modules/@aws-sdk'),
    path.join(folder, 'node_modules/@aws-sdk'),
  );
  const port = String(await freePort());
  const file = path.join(folder, 'playwright.config.ts');
  const config = readFileSync(file, 'utf8')
    .replaceAll(':3000', `:${port}`)
    .replace('use: {', `use: { launchOptions: { executablePath: '${headlessShell}' },`);
  writeFileSync(file, config);
  // Those of production.
  const keys = { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG' };
  const cli = path.join(folder, 'node_modules/@playwright/test/cli.js');
  mkdirSync(path.join(folder, '.bin'));
  writeFileSync(
    path.join(folder, '.bin', 'playwright'),
    `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@" --reporter=line --repeat-each=3 --workers=3 --fully-parallel\n`,
    { mode: 0o755 },
  );
  return { folder, env: { ...keys, PORT: port } };
}

it('SES and Playwright: move over by two variables', { timeout: 240_000 }, async () => {
  const { folder, env } = await installShop();
  const mayfly = await startDev();
  const root = rootOf(mayfly);
  const printed = printedLines('first-test/ses-playwright.md', { language: 'sh', nth: 1 });
  const output = await runPrinted(printed.replaceAll('http://127.0.0.1:8025', root), folder, env);
  expect(output).toContain('3 passed');
});

it('SES and Playwright: run by one command', { timeout: 240_000 }, async () => {
  const { folder, env } = await installShop();
  expect(await runPrinted('npx mayfly dev -- npx playwright test', folder, env)).toContain('3 passed');
});
