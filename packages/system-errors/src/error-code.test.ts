import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeOf, ignoreAbsent } from './error-code.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

describe('codeOf', () => {
  it('returns the code of an error', () => {
    expect(codeOf(Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }))).toBe(
      'SQLITE_BUSY',
    );
  });

  it.each([
    new Error('no code'),
    Object.assign(new Error('a number'), { code: 421 }),
    undefined,
    null,
    'ENOENT',
  ])('returns undefined for %s', (thrown) => {
    expect(codeOf(thrown)).toBeUndefined();
  });
});

describe('ignoreAbsent', () => {
  it('replaces the error of a missing file with undefined', async () => {
    expect(await readFile(`${folder}missing`).catch(ignoreAbsent)).toBeUndefined();
  });

  it('passes every other error on', async () => {
    await expect(readFile(folder).catch(ignoreAbsent)).rejects.toThrow('EISDIR');
  });
});
