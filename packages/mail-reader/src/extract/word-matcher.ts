// Finds all words of a fixed list, prepared by word-table, in a text in one pass. Used for the keyword lists of all
// languages at once, independent of their meanings.
import { follow, hash, keyOf, openAtEnd, openAtStart, type WordTable } from './word-table.ts';

export interface WordHit<T> {
  start: number;
  end: number;
  tag: T;
}

/** Where words may start; all of the text if absent. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface WordMatcher<T> {
  /** Returns hits with a wanted tag, in order of end, possibly overlapping, at most `limit`. */
  find(folded: string, limit: number, isWanted?: (tag: T) => boolean): WordHit<T>[];
  /** Returns hits that start in the stretch, in the same order. */
  findIn(folded: string, limit: number, stretch: Stretch): WordHit<T>[];
}

const spacedLetter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Nd}]/u;

const arabicLetter = /[\u0620-\u064a\u066e-\u06d3]/;
const attachedHead = /(?:^|[^\u0620-\u064a\u066e-\u06d3])[وفبکل]?(?:ال|لل|[وفبکل])?$/;

export function createWordMatcher<T>(table: WordTable<T>): WordMatcher<T> {
  // A word that starts at the end of a stretch is read to its own end.
  const most = table.lengths.reduce((longest, length) => Math.max(longest, length), 0);
  return {
    find: (folded, limit, isWanted) =>
      search(table, folded, { limit, isWanted, start: 0, end: folded.length }),
    findIn: (folded, limit, { start, end }) =>
      search(table, folded, { limit, start, end: Math.min(folded.length, end + most) }).filter(
        (hit) => hit.start < end,
      ),
  };
}

/** Where steps lead, kept since text repeats them: a step that fails may take several others. */
interface KnownSteps {
  /** The nodes of the words' first letters: half of all steps begin at the root. */
  readonly first: Int32Array;
  /** The last of the other steps, one by place: its node and letter, and where it leads. */
  readonly keys: Int32Array;
  readonly nodes: Int32Array;
}

const recentBits = 15;
const knownSteps = new WeakMap<object, KnownSteps>();

function knownStepsOf(table: WordTable<unknown>): KnownSteps {
  const known = knownSteps.get(table);
  if (known) return known;
  const letterCount = table.letters.reduce((most, letter) => Math.max(most, letter), 0);
  const first = Int32Array.from({ length: letterCount + 1 }, (_, letter) =>
    letter === 0 ? 0 : follow(table, 0, letter),
  );
  const made = {
    first,
    keys: new Int32Array(2 ** recentBits).fill(-1),
    nodes: new Int32Array(2 ** recentBits),
  };
  knownSteps.set(table, made);
  return made;
}

function step(
  { first, keys, nodes }: KnownSteps,
  table: WordTable<unknown>,
  from: number,
  letter: number,
): number {
  if (from === 0) return first[letter] ?? 0;
  const key = keyOf(from, letter);
  const at = hash(key) >>> (32 - recentBits);
  if (keys[at] !== key) {
    keys[at] = key;
    nodes[at] = follow(table, from, letter);
  }
  return nodes[at] ?? 0;
}

interface Search<T> extends Stretch {
  readonly limit: number;
  readonly isWanted?: ((tag: T) => boolean) | undefined;
}

function search<T>(
  table: WordTable<T>,
  folded: string,
  { limit, isWanted, start: from, end: to }: Search<T>,
): WordHit<T>[] {
  const { letters, longest, shorter, firstWords, lengths, openings, tagPlaces, tags } = table;
  const hits: WordHit<T>[] = [];
  const known = knownStepsOf(table);
  let node = 0;
  for (let i = from; i < to && hits.length < limit; i++) {
    const letter = letters[folded.charCodeAt(i)] ?? 0;
    if (letter === 0) {
      node = 0;
      continue;
    }
    node = step(known, table, node, letter);
    for (let ending = longest[node] ?? 0; ending !== 0; ending = shorter[ending] ?? 0) {
      const next = firstWords[ending + 1] ?? 0;
      for (let word = firstWords[ending] ?? 0; word < next; word++) {
        const tag = tags[tagPlaces[word] ?? 0];
        if (tag === undefined || (isWanted && !isWanted(tag))) continue;
        const start = i + 1 - (lengths[word] ?? 0);
        const opening = openings[word] ?? 0;
        const isOpenAtStart = (opening & openAtStart) !== 0;
        const isOpenAtEnd = (opening & openAtEnd) !== 0;
        if (!isOpenAtStart && (isJoined(folded, start - 1, start) || hasForeignHead(folded, start))) continue;
        if (!isOpenAtEnd && (isJoined(folded, i, i + 1) || hasForeignTail(folded, i + 1))) continue;
        hits.push({ start, end: i + 1, tag });
      }
    }
  }
  return hits;
}

// Arabic script attaches particles before a word and endings after it: at most three of certain letters.
function hasForeignHead(text: string, start: number): boolean {
  if (!arabicLetter.test(text.charAt(start)) || !arabicLetter.test(text.charAt(start - 1))) return false;
  const before = text.slice(Math.max(0, start - 5), start);
  return !attachedHead.test(before);
}

function hasForeignTail(text: string, end: number): boolean {
  if (!arabicLetter.test(text.charAt(end - 1))) return false;
  for (let i = end; i < end + 4; i++) if (!arabicLetter.test(text.charAt(i))) return false;
  return true;
}

// Scripts without spaces (Chinese, Japanese, Korean with its particles) have no word boundaries.
function isJoined(text: string, left: number, right: number): boolean {
  return (
    isSpacedLetter(text.charCodeAt(left)) &&
    isSpacedLetter(text.charCodeAt(right)) &&
    !isDigitEdge(text, left, right)
  );
}

/** By code unit, once it was asked for: 1 if it is a spaced letter, 2 if not. */
const spacedLetters = new Uint8Array(0x10000);

/** False for NaN, beyond the ends of a text. */
function isSpacedLetter(unit: number): boolean {
  const known = spacedLetters[unit];
  if (known !== 0) return known === 1;
  const isSpaced = spacedLetter.test(String.fromCharCode(unit));
  spacedLetters[unit] = isSpaced ? 1 : 2;
  return isSpaced;
}

function isDigitEdge(text: string, left: number, right: number): boolean {
  return isDigit(text.charCodeAt(left)) !== isDigit(text.charCodeAt(right));
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
