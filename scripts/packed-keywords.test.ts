import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { expect, inject, it } from 'vitest';

import { makeKeywordTables } from './bundle.mjs';
import { loadKeywordTables, packedName } from './packed-keywords.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

it('lies beside the bundle that reads mail, and gives the tables that the lists of words make', async () => {
  const kept = loadKeywordTables(
    pathToFileURL(path.join(inject('buildDir'), 'packages/mail-threads', packedName)),
  );
  // By `toEqual` it takes seconds.
  expect(isDeepStrictEqual(kept, await makeKeywordTables(root))).toBe(true);
  expect(kept['code']?.['tags']).toContainEqual({ meaning: 'code', languages: expect.any(Number) });
});
