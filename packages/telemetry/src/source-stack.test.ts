import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, inject, it } from 'vitest';

import { nameSources } from './source-stack.ts';

/** With sources of packages and of the service. */
const bundle = (): string => path.join(inject('buildDir'), 'main.base.js');

it('names the places in the sources as node does, wherever in the bundle', () => {
  const lines = readFileSync(bundle(), 'utf8').split('\n');
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle()}.map`, 'utf8')));
  let compared = 0;
  for (let line = 0; line < lines.length; line += Math.ceil(lines.length / 10)) {
    for (const column of [0, 7, (lines[line]?.length ?? 0) >> 1]) {
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry) || entry.originalSource === undefined) continue;
      const source = /(?:src|packages|clients|node_modules)\/.*$/.exec(entry.originalSource)?.[0] ?? '';
      expect(nameSources(`at f (${pathToFileURL(bundle()).href}:${line + 1}:${column + 1})`)).toBe(
        `at f (${source}:${entry.originalLine + 1}:${entry.originalColumn + 1})`,
      );
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(5);
});

it('finds the line that something was thrown in', () => {
  const message = 'The target is missing: set MAYFLY_STORE_URL';
  const folder = inject('buildDir');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const file = files.find((name) => readFileSync(path.join(folder, name), 'utf8').includes(message)) ?? '';
  const text = readFileSync(path.join(folder, file), 'utf8').split('\n');
  const line = text.findIndex((code) => code.includes(message));
  const column = (text[line] ?? '').indexOf(message);
  const named = nameSources(`Error\n    at copy (${path.join(folder, file)}:${line + 1}:${column + 1})`);
  const [, name = '', wanted = ''] = /(src\/[\w/-]+\.ts):(\d+):\d+/.exec(named) ?? [];
  const source = readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8').split('\n');
  expect(source[Number(wanted) - 1]).toContain('throw new StartError');
});

it('leaves a stack alone that has no map', () => {
  const stack = String(new Error('x').stack);
  expect(nameSources(stack)).toBe(stack);
  // A sender's words repeated in an error may not be a path.
  expect(nameSources('at file:///a%2Fb.js:1:2')).toBe('at file:///a%2Fb.js:1:2');
  expect(nameSources('at f (node:internal/x:1:2)')).toBe('at f (node:internal/x:1:2)');
});
