// The counts of results.json, and that docs/reading-codes.md has the same. benchmark.long.test.ts counts again.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printTables, type Results, updatePage } from './results.ts';

const results = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8')) as Results;
const page = readFileSync(new URL('../../../docs/reading-codes.md', import.meta.url), 'utf8');

describe('the confidences of values in mail of unseen languages and templates', () => {
  it.each(results.tenths)('are right within a twentieth: $tenth', ({ values, hundredths, right }) => {
    expect(Math.abs(hundredths / 100 - right) / values).toBeLessThanOrEqual(0.05);
  });

  it('are counted for every value that is returned, and shown', () => {
    expect(results.tenths.map(({ tenth }) => tenth)).toEqual(expect.arrayContaining([8, 9]));
    expect(results.tenths.every(({ tenth }) => tenth >= 5)).toBe(true);
  });
});

describe('docs/reading-codes.md', () => {
  it('has the results of the benchmark', () => {
    expect(updatePage(page, results)).toBe(page);
    expect(page).toContain(printTables(results).split('\n\n').at(-1));
  });

  it.each([
    ['finders', { scores: results.scores.map((score) => ({ ...score, right: 0 })) }],
    ['confidences', { tenths: results.tenths.map((tenth) => ({ ...tenth, right: 0 })) }],
    ['mails', { corpus: results.corpus.map((part) => ({ ...part, mails: part.mails + 1 })) }],
  ])('changes with them: %s', (_, changed) => {
    expect(updatePage(page, { ...results, ...changed })).not.toBe(page);
  });
});
