// Compares the answers of two services field by field, and sorts the differences by the judgements on them.

import type { Answers, Fields } from './fields.ts';

/** A difference that was looked at and is meant to stay. */
export interface Judgement {
  readonly path: RegExp;
  /** The mails that it is about; any when absent. */
  readonly mails?: RegExp;
  /** Reports whether it is this difference; any when absent. */
  readonly isMeant?: (difference: Difference) => boolean;
  /** The RFC by which it stays, or why. */
  readonly reason: string;
}

export interface Difference {
  /** The name of the mail. */
  readonly mail: string;
  readonly path: string;
  /** Undefined when absent. */
  readonly theirs: Fields[string] | undefined;
  readonly ours: Fields[string] | undefined;
}

export interface Comparison {
  readonly mails: number;
  readonly fields: number;
  readonly unjudged: readonly Difference[];
  /** Counts by reason. */
  readonly judged: ReadonlyMap<string, number>;
}

export function compareAnswers(theirs: Answers, ours: Answers, judgements: readonly Judgement[]): Comparison {
  let fields = 0;
  const unjudged: Difference[] = [];
  const judged = new Map<string, number>(judgements.map(({ reason }) => [reason, 0]));
  const mails = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  for (const mail of mails) {
    const [their, our] = [theirs[mail] ?? {}, ours[mail] ?? {}];
    // Nothing else can be compared of a mail that one of them refuses.
    const isRefused = their['accepted'] !== our['accepted'];
    const paths = isRefused ? ['accepted'] : new Set([...Object.keys(their), ...Object.keys(our)]);
    for (const path of paths) {
      fields += 1;
      const difference = { mail, path, theirs: their[path], ours: our[path] };
      if (Object.is(difference.theirs, difference.ours)) continue;
      const judgement = judgements.find((one) => isJudged(difference, one));
      if (!judgement) unjudged.push(difference);
      else judged.set(judgement.reason, (judged.get(judgement.reason) ?? 0) + 1);
    }
  }
  return { mails: mails.length, fields, unjudged, judged };
}

function isJudged(difference: Difference, { path, mails, isMeant }: Judgement): boolean {
  if (!path.test(difference.path) || mails?.test(difference.mail) === false) return false;
  return isMeant?.(difference) ?? true;
}

/** One line for each class of differences, with examples. */
export function describeDifferences(differences: readonly Difference[], examples = 3): string {
  const classes = new Map<string, Difference[]>();
  for (const one of differences) {
    const path = one.path.replace(/\.\d+(?=\.|$)/g, '.*');
    classes.set(path, [...(classes.get(path) ?? []), one]);
  }
  const show = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 160);
  return [...classes]
    .flatMap(([path, all]) => [
      `${path}: ${all.length}`,
      ...all
        .slice(0, examples)
        .map(({ mail, theirs, ours }) => `  ${mail}: theirs ${show(theirs)}, ours ${show(ours)}`),
    ])
    .join('\n');
}
