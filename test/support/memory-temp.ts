// Setup for unit and integration tests: puts their temporary files in memory if there is plenty, so that stores need
// not wait for a disk. Leftovers are removed with the test file.
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

import { afterAll } from 'vitest';

import { scratchFolder } from './servers/plain-user.ts';

const folder = mkdtempSync(path.join(scratchFolder, 'mayfly-tests-'));
process.env['TMPDIR'] = folder;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
