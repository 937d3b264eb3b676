// The pages of docs/first-test: what they print is what is in examples/, and the command of the first one.

import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createFolder, createNodeFolder } from '../support/clients/client-folders.ts';
import { firstTestCommand, runPrinted } from '../support/clients/first-test.ts';
import { printedLines } from '../support/printed-lines.ts';

it.each([
  ['typescript.md', 'js', ['first-test-typescript/app.mjs', 'first-test-typescript/sign-up.test.mjs']],
  ['python.md', 'python', ['first-test-python/app.py', 'first-test-python/test_sign_up.py']],
  ['go.md', 'go', ['first-test-go/app.go', 'first-test-go/app_test.go']],
  ['ses-playwright.md', 'js', ['ses-playwright/app.mjs']],
  [
    'ses-playwright.md',
    'ts',
    ['ses-playwright/tests/sign-up.spec.ts', 'ses-playwright/playwright.config.ts'],
  ],
])('%s prints the files of its example', (page, language, files) => {
  files.forEach((file, nth) => {
    const printed = printedLines(`first-test/${page}`, { language, nth });
    expect(printed).toBe(readFileSync(path.resolve('examples', file), 'utf8'));
  });
});

it('TypeScript: signs up with the printed command', { timeout: 300_000 }, async () => {
  const folder = await createNodeFolder();
  cpSync('examples/first-test-typescript', folder, { recursive: true });
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  symlinkSync(path.resolve('node_modules/nodemailer'), path.join(folder, 'node_modules/nodemailer'));
  const output = await runPrinted(firstTestCommand('typescript.md'), folder);
  expect(output).toMatch(/pass 1\b/);
});

it('names a command that ends with the status of the tests', { timeout: 300_000 }, async () => {
  const folder = await createFolder();
  await expect(runPrinted('npx mayfly dev -- node --test missing.mjs', folder)).rejects.toThrow();
});
