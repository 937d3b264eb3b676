// Where Chromium is. Tests run in its headless shell, which has the same engine for half the processor time, or in the
// whole browser where that is not installed. The whole browser is for what the shell lacks: notifications, push, the
// PDF viewer, and pictures as people see them.
import { existsSync } from 'node:fs';

export const wholeBrowser = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const shell = '/usr/bin/chromium-headless-shell';
export const headlessShell =
  process.env['CHROMIUM_PATH'] === undefined && existsSync(shell) ? shell : wholeBrowser;
