// Setup of the unit and integration tests: their temporary files lie in memory where there is plenty, so that stores
// wait for no disk. What they leave goes with the test file.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

import { afterAll } from 'vitest';

import { scratchFolder } from './plain-user.ts';

const folder = mkdtempSync(path.join(scratchFolder, 'mayfly-tests-'));
process.env['TMPDIR'] = folder;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
