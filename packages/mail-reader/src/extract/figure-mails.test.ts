// One number alone in a mail, under a label that no list knows, is not a code in any language.
import { describe, expect, it } from 'vitest';
import { makeFigureMails } from '../../test/support/figure-mails.ts';
import { scoreMails } from '../../test/support/score-mails.ts';

describe('a number of something else', () => {
  it('is hardly ever shown as a code, in any layout', () => {
    const mails = makeFigureMails();
    expect(mails.length).toBeGreaterThan(2_500);
    const { wrongIds } = scoreMails(mails);
    expect(wrongIds.length, wrongIds.slice(0, 20).join('\n')).toBeLessThanOrEqual(mails.length / 200);
  });
});
