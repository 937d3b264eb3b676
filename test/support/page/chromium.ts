// Where Chromium is, and how tests start it: as its headless shell, which has the same engine for half the processor
// time, or as the whole browser where that is not installed. The whole browser is for what the shell lacks:
// notifications, push, the PDF viewer, and pictures as people see them.
import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

export const wholeBrowser = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const shell = '/usr/bin/chromium-headless-shell';
export const headlessShell =
  process.env['CHROMIUM_PATH'] === undefined && existsSync(shell) ? shell : wholeBrowser;

/** `args` are added to those that every test needs. */
export function launchChromium(executablePath: string, args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 90_000,
    args: ['--headless', '--no-sandbox', '--disable-gpu', ...args],
  });
}
