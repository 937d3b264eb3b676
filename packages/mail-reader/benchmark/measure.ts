// Measures the finder and its peers on the unseen split of the corpus, for `npm run bench:codes`. Only counts, so that the
// same sources give the same results.
import { findCodes, findCodesByRules } from '../src/extract/find-codes.ts';
import { shownValue } from '../test/support/score-mails.ts';
import { isRight, type Mail, makeCorpus, unseenLanguages } from './corpus/corpus.ts';
import { type Finder, peers } from './peers.ts';
import type { CorpusPart, Results } from './results.ts';
import { countTenths, scoreFinder } from './score.ts';

const groups: Readonly<Record<string, (mail: Mail) => boolean>> = {
  'unseen languages': (mail) => !mail.isSample && unseenLanguages.has(mail.language),
  'unseen templates': (mail) =>
    !mail.isSample && mail.source === 'facts' && !unseenLanguages.has(mail.language) && !isTrap(mail),
  'unseen author': ({ source }) => source === 'world-blind',
  'English traps': (mail) => isTrap(mail) || mail.source === 'about-codes',
  'one number, unseen languages': ({ source }) => source === 'figures',
  'samples like real mail': ({ isSample }) => isSample,
};

function isTrap({ template }: Mail): boolean {
  return template.startsWith('english-trap');
}

export function measure(): Results {
  const corpus = makeCorpus();
  const unseen = corpus.filter(({ split }) => split === 'test');
  const codesOf = new Map(unseen.map((mail) => [mail, findCodes(mail)]));
  const finders: Record<string, Finder> = {
    Mayfly: (mail) => shownValue(codesOf.get(mail as Mail) ?? []),
    'rules alone': (mail) => shownValue(findCodesByRules(mail as Mail)),
    ...peers,
  };
  const scores = Object.entries(groups).flatMap(([group, isIn]) => {
    const mails = unseen.filter(isIn);
    return Object.entries(finders).map(([finder, find]) => ({ group, finder, ...scoreFinder(mails, find) }));
  });
  // Codes of quoted mail are none of the mail's own, nor is one of many recovery codes the one to type: not labelled.
  const claimed = [...codesOf].flatMap(([mail, codes]) =>
    codes
      .filter(({ kind }) => kind !== 'quoted' && kind !== 'backup')
      .map(({ value, confidence }) => ({ confidence, isRight: isRight(mail, value) })),
  );
  return { corpus: countCorpus(corpus), scores, tenths: countTenths(claimed) };
}

function countCorpus(corpus: readonly Mail[]): CorpusPart[] {
  return ['train', 'test', 'all'].map((split) => {
    const mails = corpus.filter((mail) => split === 'all' || mail.split === split);
    const codeless = mails.filter(({ expect }) => expect === null);
    const distinct = (of: (mail: Mail) => string): number => new Set(mails.map(of)).size;
    return {
      split,
      mails: mails.length,
      languages: distinct(({ language }) => language),
      templates: distinct(({ template }) => template),
      codeless: codeless.length,
      hard: codeless.filter(({ kind }) => kind === 'hard').length,
    };
  });
}
