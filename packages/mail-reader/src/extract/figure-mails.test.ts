// Mails without a code: one number under a label that no list knows, in any language; and mails about codes, issues,
// orders and logs.
import { describe, expect, it } from 'vitest';
import { makeFigureMails } from '../../test/support/figure-mails.ts';
import { readLabelledMails, scoreMails } from '../../test/support/score-mails.ts';

describe('a number of something else', () => {
  it('is hardly ever shown as a code, in any layout', () => {
    const mails = makeFigureMails();
    expect(mails.length).toBeGreaterThan(2_500);
    const { wrongIds } = scoreMails(mails);
    expect(wrongIds.length, wrongIds.slice(0, 20).join('\n')).toBeLessThanOrEqual(mails.length / 100);
  });

  it('is hardly ever shown in mail about codes, issues, orders, figures and networks', () => {
    const mails = readLabelledMails(
      new URL('../../test/fixtures/codes-fresh/no-code.jsonl', import.meta.url),
    );
    const { wrongIds } = scoreMails(mails);
    expect(wrongIds.length, wrongIds.join('\n')).toBeLessThanOrEqual(2);
  });
});
