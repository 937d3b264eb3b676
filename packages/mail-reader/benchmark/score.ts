// Scores what a finder shows against what the mails of a split hold: precision, recall, and how often a mail without a
// code shows one.
import type { Mail } from './corpus/corpus.ts';
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
    if (mail.mayBeSilent && (value === null || value === mail.expect)) continue;
    if (mail.expect !== null) wanted++;
    if (value === null) continue;
    shown++;
    if (value === mail.expect) right++;
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

/** Compares confidences with how often they are right, by tenths of the confidence. */
export function measureReliability(told: readonly { confidence: number; isRight: boolean }[]): Tenth[] {
  return Array.from({ length: 10 }, (_, i) => {
    const within = told.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)) === i);
    const mean = (numbers: readonly number[]): number =>
      numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
    return {
      from: i / 10,
      values: within.length,
      meanConfidence: mean(within.map(({ confidence }) => confidence)),
      shareRight: mean(within.map(({ isRight }) => (isRight ? 1 : 0))),
    };
  }).filter(({ values }) => values > 0);
}
