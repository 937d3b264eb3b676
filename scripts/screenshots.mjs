// `npm run screenshots [FOLDER]`: takes pictures of every view of the page and of the browser extension, light and dark, on
// a desk and on a phone, with mails sent over SMTP to a service of its own; the views are in test/e2e/screenshots. They go
// to build/screenshots by default; some are copied by hand, to the README, to docs/admin-page.png, and to web/public, for
// browsers that offer to install the page. `VIEWS=inbox,search` takes some of them.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(root, 'build/screenshots'));
const vitest = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...['--config', 'vitest.long.config.ts', 'test/e2e/screenshots.long.test.ts'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SCREENSHOTS: folder } },
);
vitest.on('close', (code) => {
  if (code === 0) console.log(folder);
  process.exitCode = code ?? 1;
});
