// Where Chromium is. Tests run in its headless shell, which has the same engine for half the processor time. The whole
// browser is for what the shell lacks: notifications, push, and pictures as people see them.
const given = process.env['CHROMIUM_PATH'];

export const wholeBrowser = given ?? '/usr/bin/chromium';
export const headlessShell =
  process.env['CHROMIUM_SHELL_PATH'] ?? given ?? '/usr/bin/chromium-headless-shell';
