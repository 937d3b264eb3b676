// Codes in mails written later than the rules, in 75 languages and mostly without a code; see test/support/score-mails.
import { describe, expect, it } from 'vitest';
import { byLanguageGroup, ratesOf, readLabelledMails, scoreMails } from '../../test/support/score-mails.ts';
import { findLinks } from './find-links.ts';
import { allLanguages } from './words/all-languages.ts';

const mails = readLabelledMails(new URL('../../test/fixtures/codes-fresh/dev.jsonl', import.meta.url));
const { known, other } = byLanguageGroup(mails, new Set(Object.keys(allLanguages)));

describe('the fresh mails', () => {
  it('have more without a code than with one', () => {
    expect(mails.filter(({ expected_code }) => expected_code === null).length).toBeGreaterThan(
      mails.length / 2,
    );
    expect(new Set(mails.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(75);
  });

  it('have their codes found in the languages whose words are known', () => {
    const { precision, recall } = ratesOf(scoreMails(known));
    expect(precision).toBeGreaterThanOrEqual(0.97);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });

  it('are read as well in other languages', () => {
    const { precision, recall } = ratesOf(scoreMails(other));
    expect(precision).toBeGreaterThanOrEqual(0.93);
    expect(recall).toBeGreaterThanOrEqual(0.95);
  });

  it('have the link to follow before all others, of a kind that acts', () => {
    const linked = mails.filter(({ expected_link }) => expected_link);
    expect(linked.length).toBeGreaterThanOrEqual(35);
    for (const { id, subject, text, html, expected_link, link_also = [] } of linked) {
      const [first] = findLinks({ subject, text: text ?? '', html });
      expect([expected_link, ...link_also], id).toContain(first?.url);
      expect(['verify', 'login', 'reset', 'invite'], id).toContain(first?.kind);
    }
  });
});

// Forwards of other programs, footers, figures, trackers, networks, lockers, device codes, lengths, small languages.
const closing = readLabelledMails(new URL('../../test/fixtures/codes-closing/mails.jsonl', import.meta.url));

it.each(closing.map((mail) => [mail.id, mail] as const))('reads %s of the closing mails right', (_, mail) => {
  expect(scoreMails([mail])).toMatchObject({ wrongIds: [], missedIds: [] });
});

// Fields, cells, runs of bold type, subjects alone, right-to-left text, digits of other scripts, 4 to 10 places; orders,
// parcels, telephones, amounts, dates, tickets, versions, ISBN, coordinates, quotations.
it('reads mails of shapes that were new, but for three whose code it does not show', () => {
  const shapes = readLabelledMails(
    new URL('../../test/fixtures/codes-closing/shapes.jsonl', import.meta.url),
  );
  const { wrongIds, missedIds } = scoreMails(shapes);
  expect(wrongIds).toEqual([]);
  expect(missedIds).toEqual(['ten-digits', 'phone-beside', 'locker-code']);
});
