// The mail reader as published: packed, installed into an empty folder with only its declared packages, and used as in
// its README.

import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { runWell } from '../support/run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'packages/mail-reader');

async function installPacked(): Promise<string> {
  const place = await mkdtemp(path.join(tmpdir(), 'mayfly-reader-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await runWell('npm', ['pack', '--silent', '--pack-destination', place], { cwd: source });
  const [tarball = ''] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  const installed = path.join(place, 'node_modules/@mayfly/mail-reader');
  await mkdir(installed, { recursive: true });
  await runWell('tar', ['-xzf', path.join(place, tarball), '--strip-components=1', '-C', installed], {});
  const { dependencies } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    await symlink(path.join(root, 'node_modules', name), path.join(place, 'node_modules', name));
  }
  return place;
}

it('is packed, installed and used as its README says, types included', { timeout: 240_000 }, async () => {
  const place = await installPacked();
  const installed = path.join(place, 'node_modules/@mayfly/mail-reader');
  const files = await readdir(installed, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/html.js', 'dist/html.d.ts']));
  expect(files.filter((name) => /\.test\.|(^|\/)(test|src)\/|[^d]\.ts$/.test(name))).toEqual([]);

  const readme = await readFile(path.join(installed, 'README.md'), 'utf8');
  const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
  await writeFile(path.join(place, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(place, 'example.js'), example);
  const shown = [...example.matchAll(/\/\/ (.*)$/gm)].map(([, text]) => text);
  expect(shown).toHaveLength(2);
  expect(await runWell(process.execPath, ['example.js'], { cwd: place })).toBe(`${shown.join('\n')}\n`);

  const mistake = '\n// @ts-expect-error Unless types are missing, this is one.\nmessage.subject = 1;\n';
  await writeFile(path.join(place, 'example.ts'), example + mistake);
  await mkdir(path.join(place, 'node_modules/@types'));
  await symlink(path.join(root, 'node_modules/@types/node'), path.join(place, 'node_modules/@types/node'));
  const strict = ['--strict', '--noEmit', '--module', 'NodeNext', '--target', 'ES2023', '--types', 'node'];
  await runWell(
    process.execPath,
    [path.join(root, 'node_modules/typescript/bin/tsc'), ...strict, 'example.ts'],
    {
      cwd: place,
    },
  );
});
