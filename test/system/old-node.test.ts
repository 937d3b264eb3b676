// The program says why it cannot run: an old Node.js, packages that are not installed, a driver without its
// binding. One line, before anything is built or loaded.

import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { refuseNode } from '../../bin/node-range.mjs';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { runProgram } from '../support/servers/run-program.ts';

const range = '>=20.20.2 <21 || >=22.22 <23 || >=24.13';

it.each(['20.20.2', '20.99.0', '22.22.0', '24.13.0', '24.13.1', '25.0.0', '26.1.0-nightly'])(
  'runs on Node.js %s',
  (version) => {
    expect(refuseNode(version, range)).toBe('');
  },
);

it.each(['16.20.2', '18.20.8', '20.20.1', '20.9.0', '21.7.3', '22.21.9', '23.11.0', '24.12.0'])(
  'says which to install instead of Node.js %s',
  (version) => {
    expect(refuseNode(version, range)).toBe(
      `Node.js ${version} does not run this program: install 20.20.2 or later of 20, 22.22 or later of 22, or 24.13 ` +
        'or later.',
    );
  },
);

/** A package as installed, whose rest fails when it is loaded. */
async function installed(engines: string): Promise<string> {
  const folder = await useDataFolder();
  await cp('bin', path.join(folder, 'bin'), { recursive: true });
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ type: 'module', engines: { node: engines } }),
  );
  await mkdir(path.join(folder, 'dist'));
  await writeFile(path.join(folder, 'dist/main.js'), 'console.log("loaded");');
  return folder;
}

async function run(folder: string, words: readonly string[], settings = {}): Promise<string> {
  const env = { PATH: process.env['PATH'], ...settings };
  const { status, stdout, stderr } = await runProgram(
    process.execPath,
    [path.join(folder, 'bin/mayfly.mjs'), ...words],
    { env },
  );
  return `${status} ${stdout}${stderr}`.replaceAll(folder, 'FOLDER');
}

it('loads nothing else where Node.js is too old, whatever the command', async () => {
  const folder = await installed('>=99.1 <100 || >=101');
  for (const words of [['serve'], ['help'], ['inbox', 'new']]) {
    expect(await run(folder, words)).toMatch(
      /^78 mayfly: Node\.js \S+ does not run this program: install 99\.1 or later of 99, or 101 or later\.\n$/,
    );
  }
});

it('says that the driver has no binding, unless no store is opened here', async () => {
  const folder = await installed('>=20');
  const driver = path.join(folder, 'node_modules/better-sqlite3');
  await cp('node_modules/better-sqlite3/lib', path.join(driver, 'lib'), { recursive: true });
  await cp('node_modules/better-sqlite3/package.json', path.join(driver, 'package.json'));
  for (const name of ['bindings', 'file-uri-to-path']) {
    await symlink(path.resolve('node_modules', name), path.join(folder, 'node_modules', name));
  }
  const line =
    /^78 mayfly: The database driver better-sqlite3 has no binding for Node\.js \S+ on \w+ \w+ \([^\n]+\)\n$/;
  expect(await run(folder, ['serve'])).toMatch(line);
  expect(await run(folder, ['dev'], { MAYFLY_STORE_URL: 'postgres://x' })).toMatch(line);
  expect(await run(folder, ['domain', 'list'])).toMatch(line);
  // One that was made for something else.
  await mkdir(path.join(driver, 'build/Release'), { recursive: true });
  await writeFile(path.join(driver, 'build/Release/better_sqlite3.node'), 'not a library');
  expect(await run(folder, ['serve'])).toMatch(line);
  for (const words of [['inbox', 'list'], ['help'], ['version'], ['serve', '--help'], []]) {
    expect(await run(folder, words)).toBe('0 loaded\n');
  }
  expect(await run(folder, ['serve'], { MAYFLY_STORE_URL: 'postgres://x' })).toBe('0 loaded\n');
  await mkdir(path.join(folder, 'src'));
  await writeFile(path.join(folder, 'src/main.ts'), '');
  await mkdir(path.join(folder, 'node_modules/rolldown'));
  expect(await run(folder, ['serve'])).toContain(': run `npm rebuild better-sqlite3` in FOLDER/ (');
});

it('says what to install where the driver or, in a clone, any package is missing', async () => {
  const folder = await installed('>=20');
  const missing = '78 mayfly: The database driver better-sqlite3 is not installed';
  expect(await run(folder, ['serve'])).toBe(`${missing}: install mayfly again\n`);
  await mkdir(path.join(folder, 'src'));
  await writeFile(path.join(folder, 'src/main.ts'), '');
  await rm(path.join(folder, 'dist'), { recursive: true });
  for (const words of [['serve'], ['help']]) {
    expect(await run(folder, words)).toBe(
      '78 mayfly: The packages are not installed: run `npm ci` in FOLDER/\n',
    );
  }
  await mkdir(path.join(folder, 'node_modules/rolldown'), { recursive: true });
  expect(await run(folder, ['serve'])).toBe(`${missing}: run \`npm ci\` in FOLDER/\n`);
});

it('is checked in the same way by the MCP server, which is published separately', async () => {
  const [own, copy] = ['bin/node-range.mjs', 'clients/mcp/bin/node-range.mjs'];
  expect(await readFile(copy, 'utf8')).toBe(await readFile(own, 'utf8'));
});
