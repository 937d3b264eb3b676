// The contract of the store and the tests of SQLite on both drivers: that of a clone on this Node.js, and that of the
// published package on its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newNode, newPath, publishedModules } from '../support/deploy/published-tools.ts';
import { copyRepository } from '../support/deploy/repository-copy.ts';
import { runWell } from '../support/servers/run-program.ts';

let place = '';
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-drivers-'));
});
afterAll(() => rm(place, { recursive: true }));

describe.each([
  { major: '12', node: process.execPath, replaced: {} },
  {
    major: '13',
    node: newNode,
    replaced: { 'better-sqlite3': path.join(publishedModules, 'better-sqlite3') },
  },
])('better-sqlite3 $major', ({ major, node, replaced }) => {
  const copy = (): string => path.join(place, major);

  it('is the driver in its copy', async () => {
    await copyRepository(copy(), replaced);
    const version = "require('better-sqlite3/package.json').version";
    expect(await runWell(node, ['-p', version], { cwd: copy() })).toMatch(new RegExp(`^${major}\\.`));
  });

  it('fulfils the contract of the store', async () => {
    const output = await runWell(
      node,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        'test/contract/sqlite-',
        'src/store/sqlite/',
        '--reporter=dot',
      ],
      { cwd: copy(), env: { ...newPath, NO_COLOR: '1', VITEST: '' } },
    );
    const [, passed = '0'] = /Tests +(\d+) passed/.exec(output) ?? [];
    expect(Number(passed)).toBeGreaterThan(200);
  });
});
