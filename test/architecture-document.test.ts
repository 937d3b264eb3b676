// Checks the path of a message in docs/ARCHITECTURE.md: its files exist and are few enough to read in one sitting.

import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const document = readFileSync(new URL('../docs/ARCHITECTURE.md', import.meta.url), 'utf8');

it('names at most 15 files from socket to disk, each of which exists', () => {
  const [, path = ''] = /\n## The path in\n(.*?)\n## /s.exec(document) ?? [];
  const files = Array.from(path.matchAll(/^\| `([^`]+)`/gm), ([, file = '']) => file);
  expect(files[0]).toBe('smtp-listener/smtp-connection');
  expect(files.at(-1)).toBe('store/sqlite/rows/message-rows');
  expect(files.length).toBeLessThanOrEqual(15);
  const places = (file: string): string[] => [
    `../src/${file}.ts`,
    `../packages/${file.replace('/', '/src/')}.ts`,
  ];
  const missing = files.filter((file) =>
    places(file).every((place) => !existsSync(new URL(place, import.meta.url))),
  );
  expect(missing).toEqual([]);
});
