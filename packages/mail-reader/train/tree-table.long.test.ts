// Training again gives the table of trees, byte for byte: it was made from the features that this code computes. Needs
// Python with venv and pip.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'code-model-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('is what training makes of the corpus and the features: else run `npm run train:codes`', () => {
  const again = path.join(folder, 'tree-table.ts');
  execFileSync(process.execPath, [path.join(here, 'train.mjs'), again], { stdio: 'ignore' });
  const table = readFileSync(path.join(here, '../src/extract/model/tree-table.ts'), 'utf8');
  expect(readFileSync(again, 'utf8')).toBe(table);
});
