// Scores what a finder shows against what the mails of a split hold, and what it tells of its values against how often
// they are right.
import { isRight, type Mail } from './corpus/corpus.ts';
import type { Finder } from './peers.ts';
import type { Score, Tenth } from './results.ts';

/** Pickup codes may be shown or not: neither counts. */
export function scoreFinder(mails: readonly Mail[], find: Finder): Score {
  const score = { mails: mails.length, codes: 0, codeless: 0, shown: 0, right: 0, alarms: 0 };
  for (const mail of mails) {
    const value = find(mail);
    const isFound = value !== null && isRight(mail, value);
    if (mail.expect === null) score.codeless++;
    if (mail.mayBeSilent && (value === null || isFound)) continue;
    if (mail.expect !== null) score.codes++;
    if (value === null) continue;
    score.shown++;
    if (isFound) score.right++;
    if (mail.expect === null) score.alarms++;
  }
  return score;
}

interface Claimed {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Counts values by the tenth in which their confidence is. */
export function countTenths(claimed: readonly Claimed[]): Tenth[] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const within = claimed.filter(
      ({ confidence }) => Math.min(9, Math.floor(confidence * 10 + 1e-9)) === tenth,
    );
    return {
      tenth,
      values: within.length,
      hundredths: within.reduce((sum, { confidence }) => sum + Math.round(100 * confidence), 0),
      right: within.filter(({ isRight }) => isRight).length,
    };
  }).filter(({ values }) => values > 0);
}
