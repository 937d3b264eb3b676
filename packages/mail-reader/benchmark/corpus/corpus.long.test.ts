// The corpus is as large, and as much of it a trap, as benchmark/README.md says, and no template or language of the unseen
// part is in the other.
import { expect, it } from 'vitest';
import { makeCorpus, unseenLanguages } from './corpus.ts';

const corpus = makeCorpus();
const train = corpus.filter(({ split }) => split === 'train');
const test = corpus.filter(({ split }) => split === 'test');

it('has at least 20,000 mails in 90 languages, half without a code, a third of those hard', () => {
  const codeless = corpus.filter(({ expect: code }) => code === null);
  expect(corpus.length).toBeGreaterThanOrEqual(20_000);
  expect(new Set(corpus.map(({ language }) => language)).size).toBeGreaterThanOrEqual(90);
  expect(codeless.length).toBeGreaterThanOrEqual(corpus.length / 2);
  expect(codeless.filter(({ kind }) => kind === 'hard').length).toBeGreaterThanOrEqual(codeless.length / 3);
});

it('holds back whole templates, languages and authors', () => {
  const made = (mails: typeof corpus): typeof corpus => mails.filter(({ source }) => source === 'facts');
  const known = new Set(made(train).map(({ template }) => template));
  const unseen = made(test).filter(({ language }) => !unseenLanguages.has(language));
  expect(unseen.length).toBeGreaterThan(1_000);
  expect(unseen.filter(({ template }) => known.has(template))).toEqual([]);
  expect(made(train).filter(({ language }) => unseenLanguages.has(language))).toEqual([]);
  expect(train.filter(({ source }) => source.includes('blind') && source.startsWith('world'))).toEqual([]);
});

it('names each mail once', () => {
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
});
