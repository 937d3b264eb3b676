// Describes the line of a candidate and the lines beside it: how long they are, how they end, what stands directly next
// to the value. Part of the features of the model over layout; see features.ts.
import type { CodeSource, Line } from '../code-source.ts';
import type { StemHit } from '../match-words.ts';
import type { Place } from '../place.ts';
import { countStems, meanings } from './nearby-stems.ts';

const sides = 'Length Colon Sentence Digits Small Label Code Time Trade';
export const neighbourNames = [
  'lineLength before after charBefore charAfter digitsOnLine separators',
  ...['above', 'above2', 'below', 'below2'].map((at) => sides.replaceAll(/\w+/g, (name) => at + name)),
].join(' ');

export const lineMax = 400;
const separators = new Set([...'|·•,;\t/'].map((char) => char.charCodeAt(0)));
const labelLength = 40;

export function describeNeighbours(place: Place, stems: readonly StemHit[]): number[] {
  const { source, line, lineIndex } = place;
  const { lines } = source;
  return [
    ...describeLine(place),
    ...describeBeside(source, lines[lineIndex - 1], stems),
    ...describeBeside(source, lines[lineIndex - 2], stems),
    ...describeBeside(source, lines[lineIndex + 1] ?? emptyAfter(line), stems),
    ...describeBeside(source, lines[lineIndex + 2] ?? emptyAfter(line), stems),
  ];
}

function emptyAfter({ end }: Line): Line {
  return { start: end, end };
}

function describeLine({ source: { text }, candidate, line }: Place): number[] {
  const before = text.slice(Math.max(line.start, candidate.start - lineMax), candidate.start);
  const after = text.slice(candidate.end, Math.min(line.end, candidate.end + lineMax));
  const whole = before + after;
  return [
    Math.min(line.end - line.start, lineMax),
    Math.min(candidate.start - line.start, lineMax),
    Math.max(0, Math.min(line.end - candidate.end, lineMax)),
    kindOfChar(before.trimEnd().slice(-1)),
    kindOfChar(after.trimStart().slice(0, 1)),
    Math.min(countUnits(whole, isDigit), 30),
    Math.min(countUnits(whole, isSeparator), 20),
  ];
}

/** Kinds of the nearest character other than a space. */
const kinds = [
  /^$/,
  /[:：՝]/,
  /[\p{L}\p{M}]/u,
  /[.。!?！？।။։]/,
  /[,،、;؛]/,
  /[#№]/,
  /[(（[【「『<《]/,
  /[)）\]】」』>》]/,
  /["“”„«»'‘’*_`]/,
  /[-–—=·|•]/,
  /\d/,
];

function kindOfChar(char: string): number {
  const kind = kinds.findIndex((pattern) => pattern.test(char));
  return kind < 0 ? kinds.length : kind;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isSeparator(unit: number): boolean {
  return separators.has(unit);
}

function countUnits(text: string, isCounted: (unit: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (isCounted(text.charCodeAt(i))) count++;
  return count;
}

function describeBeside(source: CodeSource, line: Line | undefined, stems: readonly StemHit[]): number[] {
  if (!line) return [-1, 0, 0, 0, 0, 0, 0, 0, 0];
  const read = { start: line.start, end: Math.min(line.end, line.start + lineMax) };
  const content = source.text.slice(read.start, read.end).trim();
  const digits = countUnits(content, isDigit);
  const counts = countStems(stems, read);
  const count = (stem: (typeof meanings)[number]): number => counts[meanings.indexOf(stem)] ?? 0;
  const isSentence = /[.!?。！？।؟။։]$/.test(content);
  return [
    content.length,
    /[:：՝]$/.test(content) ? 1 : 0,
    isSentence ? 1 : 0,
    Math.min(digits, 20),
    /^\p{Ll}/u.test(content) ? 1 : 0,
    content.length > 0 && content.length <= labelLength && digits === 0 && !isSentence ? 1 : 0,
    count('code'),
    count('time'),
    count('trade') + count('discount'),
  ];
}
