// Describes each value that might be the code by some eighty numbers: what the rules make of it, its form, its place,
// its neighbours, and the rest of the message. The trees of tree-table.ts are trained on exactly these numbers, so that
// the table must be made again when any of them changes. Examines a bounded range around a bounded number of values.
import type { CodeSource } from '../code-source.ts';
import type { Shape } from '../find-candidates.ts';
import type { MessageWords } from '../message-words.ts';
import type { Place, WordWeight } from '../place.ts';
import { describeNeighbours, neighbourNames } from './neighbours.ts';
import { describeStems, stemNames } from './nearby-stems.ts';
import { readStems } from './read-stems.ts';

/** One occurrence of a value. */
export interface Occurrence {
  readonly place: Place;
  readonly weight: WordWeight;
}

export interface Described {
  readonly value: string;
  readonly top: Occurrence;
  readonly features: number[];
}

export interface ReadMail {
  readonly sources: readonly CodeSource[];
  readonly words: MessageWords;
  readonly occurrences: readonly Occurrence[];
  /** The rules' score of each value that has one. */
  readonly scores: ReadonlyMap<string, number>;
}

const shapes: readonly Shape[] = [
  'digits',
  'grouped',
  'cells',
  'mixed',
  'hyphened',
  'manyGroups',
  'password',
  'words',
  'letters',
];
const supports = ['none', 'code', 'pin', 'password', 'weak', 'enter', 'typeNext', 'typeLast', 'act', 'owned'];
/** Values described in one message; the rest are rows of tables and logs. */
const valuesMax = 8;
const unscored = -6;

const ruleNames =
  'score rank lead support supportedBy direct afterVerb afterColon against asked valid leads vague';
const formNames = 'shape length digitShare isYear isRound crowded loose prefix leadingZero';
const placeNames =
  'alone prominence px pxOfMedian isLargest lineIndex linesAfter occurrences inSubject inText inHtml inHidden';
const mailNames =
  'subjectWeight oneNumber codeWords couponWords occasionWords purpose order money validity rivals onShow textLength links percents quoted';

export const featureNames: readonly string[] = [
  ...[ruleNames, formNames, placeNames, neighbourNames, stemNames, mailNames].flatMap((names) =>
    names.split(' '),
  ),
];

/** Returns the values most likely to be the code by the rules' score and by size, each described once. */
export function describeValues(mail: ReadMail): Described[] {
  const groups = groupByValue(mail);
  const wholeMail = describeMail(mail, groups);
  const likely = groups.slice(0, valuesMax);
  const stems = readStems(
    mail.sources,
    likely.map(({ top }) => top.place),
  );
  return likely.map((group, rank) => {
    const { top } = group;
    const { hits = [], ofMail = [] } = stems.get(top.place.source) ?? {};
    const others = groups[rank === 0 ? 1 : 0]?.score ?? unscored;
    return {
      value: top.place.candidate.value,
      top,
      features: [
        ...describeRules(top, { score: group.score, rank, others }),
        ...describeForm(top.place),
        ...describePlace(group, wholeMail.sizes),
        ...describeNeighbours(top.place, hits),
        ...describeStems(top.place, hits, ofMail),
        ...wholeMail.features,
        isQuoted(top.place) ? 1 : 0,
      ],
    };
  });
}

interface Group {
  /** The occurrence that stands out most. */
  readonly top: Occurrence;
  readonly score: number;
  readonly all: readonly Occurrence[];
}

function groupByValue({ occurrences, scores }: ReadMail): Group[] {
  const groups = new Map<string, Occurrence[]>();
  for (const occurrence of occurrences) {
    const { value } = occurrence.place.candidate;
    const known = groups.get(value);
    if (known) known.push(occurrence);
    else groups.set(value, [occurrence]);
  }
  const made = [...groups].map(([value, all]): Group => {
    const top = all.reduce((best, other) => (standing(other) > standing(best) ? other : best));
    return { top, score: Math.max(unscored, scores.get(value) ?? unscored), all };
  });
  const order = (group: Group): number => group.score + layout(group.top);
  return made.sort((a, b) => order(b) - order(a));
}

function standing({ place, weight }: Occurrence): number {
  return weight.support - weight.against + layout({ place });
}

function layout({ place }: Pick<Occurrence, 'place'>): number {
  return place.alone * 0.3 + Math.min(place.px, 60) * 0.02;
}

interface WholeMail {
  readonly features: number[];
  /** Font sizes of the values, ascending. */
  readonly sizes: readonly number[];
}

function describeMail({ sources, words }: ReadMail, groups: readonly Group[]): WholeMail {
  const numbers = groups.filter(({ top }) => /\d/.test(top.place.candidate.value));
  const rivals = numbers.filter(({ top }) => top.weight.against < 2).length;
  const onShow = numbers.filter(({ all }) => all.some(({ place }) => place.alone >= 1)).length;
  const main = sources.filter(({ name }) => name === 'text' || name === 'html');
  const length = Math.max(0, ...main.map(({ text }) => text.length));
  const links = Math.max(0, ...sources.map((source) => source.links.length));
  const percents = main.some(({ text }) => text.slice(0, scannedMax).includes('%')) ? 1 : 0;
  return {
    sizes: groups.map(({ top }) => top.place.px).sort((a, b) => a - b),
    features: [
      words.subjectWeight,
      words.hasOneNumber ? 1 : 0,
      Math.min(words.codeWords, 8),
      Math.min(words.couponWords, 8),
      Math.min(words.occasionWords, 8),
      words.hasPurpose ? 1 : 0,
      words.isOrder ? 1 : 0,
      words.hasMoney ? 1 : 0,
      words.hasValidity ? 1 : 0,
      Math.min(rivals, 20),
      Math.min(onShow, 20),
      Math.round(4 * Math.log2(1 + length)) / 4,
      Math.min(links, 20),
      percents,
    ],
  };
}

const scannedMax = 8_192;

function describeRules(
  { weight }: Occurrence,
  { score, rank, others }: { score: number; rank: number; others: number },
): number[] {
  return [
    round(score),
    Math.min(rank, 9),
    round(Math.max(-12, score - others)),
    round(weight.support),
    Math.max(0, supports.indexOf(weight.supportedBy ?? 'none')),
    weight.direct ? 1 : 0,
    weight.afterVerb ? 1 : 0,
    weight.afterColon ? 1 : 0,
    round(Math.min(weight.against, 12)),
    weight.asked ? 1 : 0,
    weight.hasValidity ? 1 : 0,
    weight.leads ? 1 : 0,
    weight.vague ? 1 : 0,
  ];
}

function describeForm({ candidate }: Place): number[] {
  const { value, shape } = candidate;
  const digits = value.replace(/\D/g, '').length;
  return [
    shapes.indexOf(shape),
    value.length,
    round(digits / value.length),
    /^(19[5-9]\d|20[0-4]\d)$/.test(value) ? 1 : 0,
    /0{3}$|^[1-9]\d?0{2,}$/.test(value) ? 1 : 0,
    candidate.crowded ? 1 : 0,
    candidate.loose ? 1 : 0,
    candidate.prefix.length,
    value.startsWith('0') ? 1 : 0,
  ];
}

function describePlace({ top, all }: Group, sizes: readonly number[]): number[] {
  const { place } = top;
  const largest = Math.max(...all.map(({ place: { px } }) => px));
  const median = sizes[sizes.length >> 1] ?? 0;
  const seen = (name: string): number => (all.some(({ place: { source } }) => source.name === name) ? 1 : 0);
  return [
    place.alone,
    place.prominence,
    Math.min(largest, 60),
    round(largest / Math.max(12, median)),
    largest > 0 && largest === sizes.at(-1) ? 1 : 0,
    Math.min(place.lineIndex, 30),
    Math.min(place.source.lines.length - place.lineIndex - 1, 30),
    Math.min(all.length, 6),
    seen('subject'),
    seen('text'),
    seen('html'),
    seen('hidden'),
  ];
}

/** "> Your code is 482913". */
function isQuoted({ source, line }: Place): boolean {
  return /^\s{0,3}[>|]/.test(source.text.slice(line.start, line.start + 5));
}

/** To twentieths, so that a threshold between two values is a whole number of fortieths: see trees.ts. */
function round(value: number): number {
  return Math.round(value * 20) / 20;
}
