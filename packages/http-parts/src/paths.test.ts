import { expect, it } from 'vitest';

import { cleanPath } from './paths.ts';

it.each([
  ['/api/v1/messages', '/api/v1/messages'],
  ['//view/1.html', '/view/1.html'],
  ['/api//v1///messages', '/api/v1/messages'],
  ['/api/v1/../v1/./messages', '/api/v1/messages'],
  ['/a//', '/a/'],
  ['/../../a', '/a'],
  ['//', '/'],
  ['/.//\\evil.example', '/%5Cevil.example'],
  ['//evil.example/..//x', '/x'],
])('cleans %s to %s', (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});
