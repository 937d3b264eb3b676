// Mails written for each class of mistakes that finders make, in other shapes and languages than those that the trees
// have seen: figures, mail about codes, quotes, footers, codes of letters, old and new codes, networks, lockers.
import { describe, expect, it } from 'vitest';
import { ratesOf, readLabelledMails, scoreMails } from '../../test/support/score-mails.ts';

const mails = readLabelledMails(new URL('../../test/fixtures/codes-classes.jsonl', import.meta.url));
const classes = [...new Set(mails.map(({ id }) => id.replace(/-\d+$/, '')))];

describe('mails of every class', () => {
  it('are at least 100, in 35 languages', () => {
    expect(mails.length).toBeGreaterThanOrEqual(100);
    expect(new Set(mails.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(35);
  });

  it('have their code shown, and no other value', () => {
    const counts = scoreMails(mails);
    const { precision, recall } = ratesOf(counts);
    const failed = [...counts.wrongIds, ...counts.missedIds].join(' ');
    expect(precision, failed).toBeGreaterThanOrEqual(0.98);
    expect(recall, failed).toBeGreaterThanOrEqual(0.96);
  });

  it.each(classes)('fail for at most two mails of a class: %s', (name) => {
    const { wrongIds, missedIds } = scoreMails(mails.filter(({ id }) => id.startsWith(`${name}-`)));
    expect([...wrongIds, ...missedIds].length).toBeLessThanOrEqual(2);
  });
});
