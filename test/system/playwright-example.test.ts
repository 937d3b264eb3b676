// The examples of docs/clients/playwright.md and the package's README, run as printed: the configuration starts
// `mayfly dev` and the program under test, and the test signs up there in Chromium.

import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { headlessShell } from '../support/page/chromium.ts';
import { freePort } from '../support/servers/free-port.ts';
import { installClients } from '../support/clients/installed-clients.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runWell } from '../support/servers/run-program.ts';

const page = 'clients/playwright.md';
const readme = '../clients/playwright/README.md';

it('the README prints the same as the documentation, in at most 15 lines', () => {
  for (const nth of [0, 1]) {
    const code = printedLines(page, { language: 'ts', nth });
    expect(printedLines(readme, { language: 'ts', nth })).toBe(code);
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  }
});

it('signs up with the printed configuration and test', { timeout: 300_000 }, async () => {
  const others = ['@playwright/test', 'playwright', 'playwright-core', 'nodemailer'];
  const folder = await installClients(['typescript', 'playwright'], others);
  onTestFinished(folder.remove);
  const [http, smtp, shop] = [await freePort(), await freePort(), await freePort()];
  const mayfly = `${process.execPath} ${path.resolve('bin/mayfly.mjs')} dev --http-port ${http} --smtp-port ${smtp}`;
  const config = printedLines(
    page,
    { language: 'ts' },
    {
      'npx mayfly dev': mayfly,
      ':8025': `:${http}`,
      ':3000': `:${shop}`,
      'npm start': `${process.execPath} shop.mjs`,
      'use: {': `use: { launchOptions: { executablePath: '${headlessShell}' },`,
    },
  );
  await writeFile(path.join(folder.path, 'playwright.config.ts'), config);
  await writeFile(path.join(folder.path, 'example.spec.ts'), printedLines(page, { language: 'ts', nth: 1 }));
  await copyFile('test/fixtures/shop.mjs', path.join(folder.path, 'shop.mjs'));
  const cli = path.join(folder.path, 'node_modules/@playwright/test/cli.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    TMPDIR: folder.path,
    SMTP_PORT: String(smtp),
    PORT: String(shop),
  };
  const output = await runWell(process.execPath, [cli, 'test', '--reporter=line'], { cwd: folder.path, env });
  expect(output).toContain('1 passed');
});
