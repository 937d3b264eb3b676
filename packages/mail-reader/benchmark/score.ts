// Scores what a finder shows against what the mails of a split hold: precision, recall, and how often a mail without a
// code shows one.
import { isRight, type Mail } from './corpus/corpus.ts';
import type { Finder } from './peers.ts';

export interface Score {
  readonly mails: number;
  readonly precision: number;
  readonly recall: number;
  /** Share of the mails without a code that show one. */
  readonly falseAlarms: number;
}

/** Pickup codes may be shown or not: neither counts. */
export function scoreFinder(mails: readonly Mail[], find: Finder): Score {
  let shown = 0;
  let right = 0;
  let wanted = 0;
  let alarms = 0;
  for (const mail of mails) {
    const value = find(mail);
    const isFound = value !== null && isRight(mail, value);
    if (mail.mayBeSilent && (value === null || isFound)) continue;
    if (mail.expect !== null) wanted++;
    if (value === null) continue;
    shown++;
    if (isFound) right++;
    if (mail.expect === null) alarms++;
  }
  const codeless = mails.filter(({ expect }) => expect === null).length;
  return {
    mails: mails.length,
    precision: right / shown,
    recall: right / wanted,
    falseAlarms: alarms / codeless,
  };
}

export interface Tenth {
  readonly from: number;
  readonly values: number;
  readonly meanConfidence: number;
  readonly shareRight: number;
}

interface Given {
  readonly confidence: number;
  readonly isRight: boolean;
  readonly weight: number;
}

/** Compares confidences with how often they are right, by tenths of the confidence. */
export function measureReliability(given: readonly Given[]): Tenth[] {
  return Array.from({ length: 10 }, (_, i) => {
    const within = given.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)) === i);
    const total = within.reduce((sum, { weight }) => sum + weight, 0);
    const mean = (of: (one: Given) => number): number =>
      within.reduce((sum, one) => sum + one.weight * of(one), 0) / total;
    return {
      from: i / 10,
      values: within.length,
      meanConfidence: mean(({ confidence }) => confidence),
      shareRight: mean(({ isRight }) => (isRight ? 1 : 0)),
    };
  }).filter(({ values }) => values > 0);
}
