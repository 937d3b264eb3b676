import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { findDifferences, readVersions, writeVersion } from './set-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = [...new Set(readVersions(root).map(({ file }) => file))];

/** Creates a folder with the files of this repository that contain the version. */
function copyFiles(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-versions-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(folder, file));
  }
  return folder;
}

it('is the same everywhere in this repository', () => {
  expect(findDifferences(readVersions(root))).toEqual([]);
});

it('is in the manifests of npm, the lockfile and those of the other languages', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'package.json',
      'package-lock.json',
      'packages/mail-reader/package.json',
      'clients/typescript/package.json',
      'clients/python/pyproject.toml',
    ]),
  );
});

it('is written everywhere, and nothing else changes', () => {
  const folder = copyFiles();
  writeVersion(folder, '7.11.13');
  expect(new Set(readVersions(folder).map(({ version }) => version))).toEqual(new Set(['7.11.13']));
  expect(findDifferences(readVersions(folder), 'v7.11.13')).toEqual([]);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  writeVersion(folder, version);
  for (const file of files) {
    expect(readFileSync(path.join(folder, file), 'utf8'), file).toBe(
      readFileSync(path.join(root, file), 'utf8'),
    );
  }
});

it.each(files.filter((file) => file !== 'package.json'))('a difference in %s is refused', (file) => {
  const folder = copyFiles();
  writeVersion(folder, '7.11.13');
  const text = readFileSync(path.join(folder, file), 'utf8');
  writeFileSync(path.join(folder, file), text.replace('7.11.13', '7.11.12'));
  const differences = findDifferences(readVersions(folder));
  expect(differences).toHaveLength(1);
  expect(differences[0]).toContain(`${file}: `);
});

it('a tag of another version is refused', () => {
  const [{ version } = { version: '' }] = readVersions(root);
  expect(findDifferences(readVersions(root), `v${version}`)).toEqual([]);
  expect(findDifferences(readVersions(root), 'v99.0.0')).toHaveLength(1);
  expect(findDifferences(readVersions(root), version)).toHaveLength(1);
});

it.each(['1.2', 'v1.2.3', '1.2.3-rc.1', '01.2.3', '', '1.2.3 '])('%j is no version', (text) => {
  expect(() => writeVersion(copyFiles(), text)).toThrow(RangeError);
});
