// Codes and links in mails of 41 languages in every layout, half of them without a code; see test/support/world-mails.ts.
// The phrases of the half "blind" were written before the rules were changed for it, and not looked at while they were.
import { describe, expect, it } from 'vitest';
import { findShownCode } from '../../../test/support/code-samples.ts';
import { makeWorldMails, type WorldMail } from '../../../test/support/world-mails.ts';
import { findLinks } from './find-links.ts';

interface Rates {
  precision: number;
  recall: number;
  /** Of the mails without a code, the share that shows one. */
  falseRate: number;
  linkRecall: number;
}

function rate(mails: readonly WorldMail[]): Rates {
  const pairs = mails.map((mail) => ({ wanted: mail.expect, got: findShownCode(mail) }));
  const right = pairs.filter(({ wanted, got }) => got !== null && got === wanted).length;
  const said = pairs.filter(({ got }) => got !== null).length;
  const empty = pairs.filter(({ wanted }) => wanted === null);
  const links = mails.flatMap((mail) => {
    const found = new Map(findLinks(mail).map(({ url, kind }) => [url, kind as string]));
    return Object.entries(mail.links ?? {}).map(([url, kind]) => found.get(url) === kind);
  });
  return {
    precision: right / said,
    recall: right / (pairs.length - empty.length),
    falseRate: empty.filter(({ got }) => got !== null).length / empty.length,
    linkRecall: links.filter(Boolean).length / links.length,
  };
}

const dev = makeWorldMails('dev');
const blind = makeWorldMails('blind');

describe('mails of the world', () => {
  it('are 700 and more in each half, in 35 languages and more', () => {
    for (const mails of [dev, blind]) {
      expect(mails.length).toBeGreaterThanOrEqual(700);
      expect(new Set(mails.map(({ language }) => language)).size).toBeGreaterThanOrEqual(35);
    }
  });

  it('without a code show none', () => {
    expect(rate(dev).falseRate).toBeLessThanOrEqual(0.01);
    expect(rate(dev).precision).toBeGreaterThanOrEqual(0.985);
    expect(rate(blind).falseRate).toBeLessThanOrEqual(0.02);
    expect(rate(blind).precision).toBeGreaterThanOrEqual(0.96);
  });
});
