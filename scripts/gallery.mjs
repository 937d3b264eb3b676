// `npm run gallery`: takes pictures of every component (web/gallery.html) and compares them with test/e2e/gallery;
// `npm run gallery -- --renew` replaces those.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isRenewed = process.argv.includes('--renew');
const vitest = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'browser', 'test/e2e/gallery.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(isRenewed ? { GALLERY: 'renew' } : {}) } },
);
vitest.on('close', (code) => {
  process.exitCode = code ?? 1;
});
