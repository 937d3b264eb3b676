// Where a candidate stands, what the words around it weigh, and the questions both sides of the scale ask of them.
// Used by weigh-words.ts (for a code) and weigh-against.ts (against it). Looks at a bounded stretch of text.
import type { Candidate } from './find-candidates.ts';
import { firstAtOrAfter, type CodeSource, type Line } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';

/** Where a candidate stands in its source. */
export interface Place {
  readonly source: CodeSource;
  readonly candidate: Candidate;
  /** All candidates of the source, in order. */
  readonly all: readonly Candidate[];
  readonly line: Line;
  readonly lineIndex: number;
  /** Nothing else on the line (2), in the table cell (1), or first on the line (0.5), else 0. */
  readonly alone: number;
  /** Sum of what makes it stand out, 0 to 3. */
  readonly prominence: number;
  /** Font size in pixels of the innermost element around it that sets one; 0 if none. */
  readonly px: number;
}

export interface WordWeight {
  /** Strongest evidence for a code, 0 to about 5. */
  support: number;
  /** Meaning of the word that gave it. */
  supportedBy: Meaning | undefined;
  /** The name says that it is the code of something else. */
  vague: boolean;
  /** The word and the value touch: "code: 123456", "123456 is your code". */
  direct: boolean;
  /** A verb joins a name to it: "… is 123456". */
  readonly afterVerb: boolean;
  /** A colon stands before it. */
  readonly afterColon: boolean;
  /** Evidence for something else. */
  against: number;
  /** The sentence asks the reader to type or to tell it. */
  readonly asked: boolean;
  /** A phrase on validity or secrecy stands near. */
  hasValidity: boolean;
  /** The sentence opens with it and says what it is for: "61180 to confirm". */
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
/** "contract n. 77120" goes on behind its dot. */
export const sentenceEnd =
  /(?<!(?:^|[\s(])(?:n|nr|no|num|núm|art|ref|réf|rif|tel|tél|p|pt|op|dok|док|арт|тел|ст|д|ул))[.](?=\s)|[!?](?=\s)|[。！？।؟]/iu;

// "The code for the payment of 50,00 EUR with card 4471 is 739105": whatever lies between, the verb tells.
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
