// `npm run bench:codes`: measures the finder and its peers on the unseen split of the corpus, and prints the tables of
// docs/reading-codes.md.
import { findCodes, findCodesByRules } from '../src/extract/find-codes.ts';
import { shownValue } from '../test/support/score-mails.ts';
import { isRight, type Mail, makeCorpus, unseenLanguages } from './corpus/corpus.ts';
import { type Finder, peers } from './peers.ts';
import { measureReliability, scoreFinder } from './score.ts';

const groups: Readonly<Record<string, (mail: Mail) => boolean>> = {
  'unseen languages': (mail) => !mail.isSample && unseenLanguages.has(mail.language),
  'unseen templates': (mail) =>
    !mail.isSample && mail.source === 'facts' && !unseenLanguages.has(mail.language) && !isTrap(mail),
  'unseen author': ({ source }) => source === 'world-blind',
  'English traps': (mail) => isTrap(mail) || mail.source === 'about-codes',
  'one number, unseen languages': ({ source }) => source === 'figures',
  'samples like real mail': ({ isSample }) => isSample,
};

/** As in train.py: samples like real mail are few, and count for more than made mails. */
const sampleWeight = 30;

function isTrap({ template }: Mail): boolean {
  return template.startsWith('english-trap');
}

export function measure(): string {
  const corpus = makeCorpus();
  const unseen = corpus.filter(({ split }) => split === 'test');
  const finders: Record<string, Finder> = {
    Mayfly: (mail) => shownValue(findCodes(mail as Mail)),
    'its rules alone': (mail) => shownValue(findCodesByRules(mail as Mail)),
    ...peers,
  };
  const lines = [
    ...countCorpus(corpus),
    '',
    '| mails | finder | precision | recall | shown without a code |',
    '| --- | --- | --- | --- | --- |',
  ];
  for (const [group, isIn] of Object.entries(groups)) {
    const mails = unseen.filter(isIn);
    for (const [name, find] of Object.entries(finders)) {
      const { precision, recall, falseAlarms } = scoreFinder(mails, find);
      lines.push(
        `| ${group} (${mails.length}) | ${name} | ${round(precision)} | ${round(recall)} | ${round(100 * falseAlarms, 1)} % |`,
      );
    }
  }
  const found = unseen.flatMap((mail) =>
    findCodes(mail).map(({ value, confidence }) => ({
      confidence,
      isRight: isRight(mail, value),
      weight: mail.isSample ? sampleWeight : 1,
    })),
  );
  lines.push('', '| confidence | values | mean | right |', '| --- | --- | --- | --- |');
  for (const { from, values, meanConfidence, shareRight } of measureReliability(found)) {
    lines.push(
      `| ${round(from, 1)}–${round(from + 0.1, 1)} | ${values} | ${round(meanConfidence, 2)} | ${round(shareRight, 2)} |`,
    );
  }
  return lines.join('\n');
}

function countCorpus(corpus: readonly Mail[]): string[] {
  const lines = [
    '| split | mails | languages | templates | without a code | of those hard |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  for (const split of ['train', 'test', 'all']) {
    const mails = corpus.filter((mail) => split === 'all' || mail.split === split);
    const codeless = mails.filter(({ expect }) => expect === null);
    const hard = codeless.filter(({ kind }) => kind === 'hard').length;
    const distinct = (of: (mail: Mail) => string): number => new Set(mails.map(of)).size;
    lines.push(
      `| ${split} | ${mails.length} | ${distinct(({ language }) => language)} | ${distinct(({ template }) => template)} | ` +
        `${round((100 * codeless.length) / mails.length, 0)} % | ${round((100 * hard) / codeless.length, 0)} % |`,
    );
  }
  return lines;
}

function round(value: number, digits = 3): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}
