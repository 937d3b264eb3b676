// `npm run bench:codes`: measures the finder and its peers on the unseen split of the corpus, and prints the tables of
// docs/reading-codes.md.
import { findCodes, findCodesByRules } from '../src/extract/find-codes.ts';
import { shownValue } from '../test/support/score-mails.ts';
import { type Mail, makeCorpus, unseenLanguages } from './corpus/corpus.ts';
import { type Finder, peers } from './peers.ts';
import { measureReliability, scoreFinder } from './score.ts';

const groups: Readonly<Record<string, (mail: Mail) => boolean>> = {
  'unseen languages': (mail) => !mail.isSample && unseenLanguages.has(mail.language),
  'unseen templates': (mail) =>
    !mail.isSample && mail.source === 'facts' && !unseenLanguages.has(mail.language) && !isTrap(mail),
  'unseen author': ({ source }) => source === 'world-blind',
  'English traps': isTrap,
  'samples like real mail': ({ isSample }) => isSample,
};

function isTrap({ template }: Mail): boolean {
  return template.startsWith('english-trap');
}

export function measure(): string {
  const unseen = makeCorpus().filter(({ split }) => split === 'test');
  const finders: Record<string, Finder> = {
    Mayfly: (mail) => shownValue(findCodes(mail as Mail)),
    'its rules alone': (mail) => shownValue(findCodesByRules(mail as Mail)),
    ...peers,
  };
  const lines = [
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
    findCodes(mail).map(({ value, confidence }) => ({ confidence, isRight: value === mail.expect })),
  );
  lines.push('', '| confidence | values | mean | right |', '| --- | --- | --- | --- |');
  for (const { from, values, meanConfidence, shareRight } of measureReliability(found)) {
    lines.push(
      `| ${round(from, 1)}–${round(from + 0.1, 1)} | ${values} | ${round(meanConfidence, 2)} | ${round(shareRight, 2)} |`,
    );
  }
  return lines.join('\n');
}

function round(value: number, digits = 3): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}
