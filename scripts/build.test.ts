import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, '..');
/** Replaces the bundler, which is slow. */
const stubBundler = `import { cpSync } from 'node:fs';
cpSync(new URL('../web', import.meta.url), process.argv[2], { recursive: true });
`;
let clone: string;

beforeEach(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'mayfly-build-'));
  for (const part of ['scripts', 'bin', 'tsconfig.json', 'package.json', 'package-lock.json']) {
    await cp(path.join(repository, part), path.join(clone, part), { recursive: true });
  }
  await write('scripts/build-web.mjs', stubBundler);
  await symlink(path.join(repository, 'node_modules'), path.join(clone, 'node_modules'));
  await mkdir(path.join(clone, 'src/part/migrations'), { recursive: true });
  await mkdir(path.join(clone, 'packages/mail-reader/src'), { recursive: true });
  await mkdir(path.join(clone, 'clients/cli/src'), { recursive: true });
  await write('packages/mail-reader/package.json', '{}');
  for (const license of ['names/LICENSE-friendly-words', 'mail-report/LICENSE-caniemail']) {
    await mkdir(path.join(clone, 'packages', path.dirname(license)), { recursive: true });
    await write(`packages/${license}`, 'MIT');
  }
  await mkdir(path.join(clone, 'web'));
  await write('web/index.html', 'first page');
  await write('src/main.ts', "import { word } from './part/word.ts';\nconsole.log(word, process.argv[2]);\n");
  await write('src/part/word.ts', "export const word: string = 'first';\n");
  await write('src/part/word.test.ts', 'this is not even TypeScript');
  await write('src/part/migrations/0001.sql', 'select 1;');
});

afterEach(async () => {
  await rm(clone, { recursive: true });
});

async function write(file: string, text: string): Promise<void> {
  await writeFile(path.join(clone, file), text);
}

async function mayfly(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [path.join(clone, 'bin/mayfly.mjs'), ...args]);
}

/** Lists the service's builds and anything else but the page's. */
async function builds(): Promise<string[]> {
  const names = await readdir(path.join(clone, 'build'));
  return names.filter((name) => !name.startsWith('web-'));
}

describe('the command in a clone', () => {
  test('builds once and then runs what is there, with nothing of it on standard output', async () => {
    const first = await mayfly('one');
    expect(first.stdout).toBe('first one\n');
    expect(first.stderr).toMatch(
      /^mayfly: building the web, [^\n]+\nmayfly: built the web in \d+\.\d s\nmayfly: building the service, [^\n]+\nmayfly: built the service in \d+\.\d s\n$/,
    );
    expect(await mayfly('two')).toEqual({ stdout: 'first two\n', stderr: '' });
  });

  test('runs the new source after a change and leaves the files of the old build alone', async () => {
    await mayfly();
    const [old = ''] = await builds();
    await write('src/part/word.ts', "export const word: string = 'second';\n");
    expect((await mayfly('x')).stdout).toBe('second x\n');
    expect(await builds()).toHaveLength(2);
    expect(await readFile(path.join(clone, 'build', old, 'main.base.js'), 'utf8')).toContain('first');
  });

  test('copies what is not TypeScript, and leaves tests out', async () => {
    await mayfly();
    const [folder = ''] = await builds();
    const files = await readdir(path.join(clone, 'build', folder), { recursive: true });
    expect(files).toContain(path.join('part', 'migrations', '0001.sql'));
    expect(files.filter((file) => file.includes('test'))).toEqual([]);
  });

  test('brings the page along, and takes up a change of it', async () => {
    await mayfly();
    const [old = ''] = await builds();
    expect(await readFile(path.join(clone, 'build', old, 'web/index.html'), 'utf8')).toBe('first page');
    await write('web/index.html', 'second page');
    await mayfly();
    const [changed = ''] = (await builds()).filter((name) => name !== old);
    expect(await readFile(path.join(clone, 'build', changed, 'web/index.html'), 'utf8')).toBe('second page');
    expect(await readdir(path.join(clone, 'build', changed, 'web'))).toEqual(['index.html']);
  });

  test('started several times at once, makes one build that all of them run', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map((n) => mayfly(String(n))));
    expect(runs.map(({ stdout }) => stdout)).toEqual(['first 1\n', 'first 2\n', 'first 3\n', 'first 4\n']);
    expect(await builds()).toHaveLength(1);
  });

  test('fails with file and line on a syntax error and leaves no half build', async () => {
    await write('src/part/word.ts', 'export const word = ;\n');
    await expect(mayfly()).rejects.toThrow(/src\/part\/word\.ts:1:2\d/);
    expect(await builds()).toEqual([]);
  });
});

describe('old builds', () => {
  const dayAgo = new Date(Date.now() - 24 * 60 * 60 * 1000);

  async function addOldBuild(name: string, usedBy?: number): Promise<void> {
    const folder = path.join(clone, 'build', name);
    await mkdir(path.join(folder, '.in-use'), { recursive: true });
    if (usedBy !== undefined) await writeFile(path.join(folder, '.in-use', String(usedBy)), '');
    await utimes(folder, dayAgo, dayAgo);
  }

  test('are deleted but for the newest three and those that a living process uses', async () => {
    await addOldBuild('service-0000000000000001', process.pid);
    await addOldBuild('service-0000000000000002', 2 ** 22 + 1);
    for (const n of [3, 4, 5]) await addOldBuild(`service-000000000000000${n}`);
    await mayfly();
    const left = await builds();
    expect(left).toContain('service-0000000000000001');
    expect(left.length).toBeGreaterThanOrEqual(3);
    expect(left.length).toBeLessThanOrEqual(4);
  });
});
