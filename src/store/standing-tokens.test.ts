import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { openStandingTokens } from './standing-tokens.ts';

it('knows the last token of each name after a restart, and nothing that was cut off', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-tokens-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const tokens = openStandingTokens(folder);
  expect([tokens.find(''), tokens.count()]).toEqual([undefined, 0]);
  tokens.keep('', 'mf_shared');
  tokens.keep('a "quoted"\nname', 'mf_first');
  tokens.keep('a "quoted"\nname', 'mf_second');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  appendFileSync(join(folder, file), '\n["cut","mf_');
  openStandingTokens(folder).keep('after', 'mf_after');
  const again = openStandingTokens(folder);
  expect([again.find(''), again.find('a "quoted"\nname'), again.find('cut')]).toEqual([
    'mf_shared',
    'mf_second',
    undefined,
  ]);
  expect([again.find('after'), again.count()]).toEqual(['mf_after', 3]);
});
