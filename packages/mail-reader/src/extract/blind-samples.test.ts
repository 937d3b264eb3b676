// Codes and links on the blind sets: mail written without knowledge of the rules, then measured. find-codes.test has
// the older samples. Samples of split "held" were never examined while the rules grew.
import { describe, expect, it } from 'vitest';
import { type CodeSample, findShownCode, readCodeSamples } from '../../test/support/code-samples.ts';
import { findLinks } from './find-links.ts';

const folder = new URL('../../test/fixtures/codes-blind/', import.meta.url);
const actions = new Set(['verify', 'login', 'reset']);

const first = readCodeSamples(new URL('first.jsonl', folder));
const second = ['second', 'third', 'fourth'].flatMap((name) =>
  readCodeSamples(new URL(`${name}.jsonl`, folder)),
);
/** Half of each was examined, half never: see docs/reading-codes.md. */
const halvedOwn = ['fifth', 'sixth', 'seventh', 'eighth'].flatMap((name) =>
  readCodeSamples(new URL(`${name}.jsonl`, folder)),
);
/** Written by people who knew neither rules nor samples; links are not labelled. */
const byOthers = ['ninth', 'tenth'].flatMap((name) => readCodeSamples(new URL(`${name}.jsonl`, folder)));
const halved = [...halvedOwn, ...byOthers];

function rates(pairs: readonly { wanted: string | null; got: string | null }[]): {
  precision: number;
  recall: number;
} {
  const right = pairs.filter(({ wanted, got }) => got !== null && got === wanted).length;
  const shown = pairs.filter(({ got }) => got !== null).length;
  const wanted = pairs.filter((pair) => pair.wanted !== null).length;
  return { precision: right / shown, recall: right / wanted };
}

function codeRates(samples: readonly CodeSample[]): { precision: number; recall: number } {
  return rates(
    samples.map((sample) => {
      return { wanted: sample.expect, got: findShownCode(sample) };
    }),
  );
}

function linkRates(samples: readonly CodeSample[]): { precision: number; recall: number } {
  const action = (kind: string | undefined): string | null =>
    kind !== undefined && actions.has(kind) ? kind : null;
  const pairs = samples.flatMap((sample) => {
    const found = new Map(findLinks(sample).map(({ url, kind }) => [url, kind]));
    const urls = new Set([...found.keys(), ...Object.keys(sample.links ?? {})]);
    return [...urls].map((url) => ({
      wanted: action(sample.links?.[url]),
      got: action(found.get(url)),
    }));
  });
  return rates(pairs);
}

describe('the blind sets', () => {
  it('have at least 250 mails in 19 languages, a third without a code, and no template in both splits', () => {
    expect(first.length).toBeGreaterThanOrEqual(250);
    expect(new Set(first.map(({ id }) => id.slice(0, 2))).size).toBe(19);
    expect(first.filter((sample) => sample.expect === null).length).toBeGreaterThan(first.length / 3);
    const held = new Set(first.filter(({ split }) => split === 'held').map(({ template }) => template));
    expect(first.filter(({ split, template }) => split === 'tune' && held.has(template))).toEqual([]);
  });

  it('are read with a precision of 0.97 and a recall of 0.95 on the held-back half of the first', () => {
    const held = codeRates(first.filter(({ split }) => split === 'held'));
    expect(held.precision).toBeGreaterThanOrEqual(0.97);
    expect(held.recall).toBeGreaterThanOrEqual(0.95);
  });

  it('are read as well on the halves of the later ones that were never examined', () => {
    const unread = codeRates(halved.filter(({ split }) => split === 'held'));
    expect(unread.precision).toBeGreaterThanOrEqual(0.98);
    expect(unread.recall).toBeGreaterThanOrEqual(0.95);
    const read = codeRates(halved.filter(({ split }) => split === 'tune'));
    expect(read.precision).toBeGreaterThanOrEqual(0.99);
    expect(read.recall).toBeGreaterThanOrEqual(0.99);
  });

  it('are read as well where others wrote them, on the half that was never examined', () => {
    const unread = codeRates(byOthers.filter(({ split }) => split === 'held'));
    expect(unread.precision).toBeGreaterThanOrEqual(0.97);
    expect(unread.recall).toBeGreaterThanOrEqual(0.97);
    const read = codeRates(byOthers.filter(({ split }) => split === 'tune'));
    expect(read.precision).toBeGreaterThanOrEqual(0.99);
    expect(read.recall).toBeGreaterThanOrEqual(0.99);
  });

  it('are read as well overall', () => {
    const all = codeRates([...first, ...second, ...halved]);
    expect(all.precision).toBeGreaterThanOrEqual(0.99);
    expect(all.recall).toBeGreaterThanOrEqual(0.96);
  });

  it('return the links that verify, sign in and reset', () => {
    const links = linkRates([...first, ...second, ...halvedOwn]);
    expect(links.precision).toBeGreaterThanOrEqual(0.9);
    expect(links.recall).toBeGreaterThanOrEqual(0.95);
  });
});
