// A candidate's position, the weight of the words around it, and questions about both. Used by weigh-words.ts (for a
// code) and weigh-against.ts (against it). Examines a bounded range of text.
import type { Candidate } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource, type Line } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';

/** The position of a candidate in its source. */
export interface Place {
  readonly source: CodeSource;
  readonly candidate: Candidate;
  /** All candidates of the source, in order. */
  readonly all: readonly Candidate[];
  readonly line: Line;
  readonly lineIndex: number;
  /** 2 when nothing else is on the line, 1 when alone in its table cell, 0.5 when first on the line, else 0. */
  readonly alone: number;
  /** How much it stands out, 0 to 3. */
  readonly prominence: number;
  /** Font size in pixels from the innermost element that sets one; 0 if none. */
  readonly px: number;
}

export interface WordWeight {
  /** The strongest evidence for a code, 0 to about 5. */
  support: number;
  /** The strongest evidence from a name of a code, and from a request to type it. */
  named: number;
  requested: number;
  /** The meaning of the word that gave it. */
  supportedBy: Meaning | undefined;
  /** Whether the name says that it is the code of something else. */
  vague: boolean;
  /** Whether the word and the value are adjacent: "code: 123456", "123456 is your code". */
  direct: boolean;
  /** Whether a verb joins it to a name: "… is 123456". */
  readonly afterVerb: boolean;
  /** Whether a colon precedes it. */
  readonly afterColon: boolean;
  /** Evidence for something else. */
  against: number;
  /** Whether the sentence asks the reader to type or to tell it. */
  readonly asked: boolean;
  /** Whether a phrase about validity or secrecy is nearby. */
  hasValidity: boolean;
  /** Whether the sentence opens with it and says what it is for: "61180 to confirm". */
  leads: boolean;
  /** As `leads`, whatever it is for. */
  readonly opens: boolean;
}

export const weights: Partial<Record<Meaning, number>> = {
  code: 4,
  pin: 3.2,
  weak: 2.8,
  owned: 1.7,
  password: 2.8,
  backup: 2.8,
  approval: 3,
  enter: 1.6,
  typeNext: 2.4,
  typeLast: 2.4,
  act: 1.5,
};
export const asks: ReadonlySet<Meaning> = new Set(['enter', 'typeNext', 'typeLast']);
/** "contract n. 77120" continues after the dot. */
export const sentenceEnd =
  /(?<!(?:^|[\s(])(?:n|nr|no|num|núm|art|ref|réf|rif|tel|tél|p|pt|op|dok|док|арт|тел|ст|д|ул))[.](?=\s)|[!?](?=\s)|[。！？।؟]/iu;

// "The code for the payment of 50,00 EUR with card 4471 is 739105": the verb decides, whatever is in between.
export function followsVerb({ candidate, source }: Place, near: readonly MeaningHit[]): boolean {
  return near.some(({ tag, end }) => {
    if (tag !== 'copula' || end > candidate.start) return false;
    return /^[\s"'(【[「『“:]{0,3}$/.test(source.text.slice(end, candidate.start));
  });
}

export function followsColon({ candidate, source }: Place): boolean {
  return /:[\s"'(【[「『“]{0,3}$/.test(source.text.slice(Math.max(0, candidate.start - 5), candidate.start));
}

export function lineOf(place: Place, offset: number): number {
  const { lines } = place.source;
  const next = firstAtOrAfter(lines, offset + 1);
  return next - 1;
}

export function isInSentence({ candidate, source, line }: Place, hit: MeaningHit): boolean {
  if (hit.start < line.start || hit.start >= line.end) return false;
  const before = hit.end <= candidate.start;
  const gap = source.text.slice(before ? hit.end : candidate.end, before ? candidate.start : hit.start);
  return gap.length <= 80 && !sentenceEnd.test(gap) && !/[,;，、،；]/.test(gap);
}
