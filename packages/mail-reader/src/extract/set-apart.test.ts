// Codes recognised by their place in any language: large on a separate line, in a field, in cells.
import { describe, expect, it } from 'vitest';
import { findCodes } from './find-codes.ts';

function shown(html: string, subject = 'Awa'): string | null {
  const [best] = findCodes({ subject, text: '', html, senderName: '', senderEmail: '' });
  return best && best.confidence >= 0.8 ? best.value : null;
}

const large = 'font-size:32px;text-align:center';
/** A language without keywords. */
const hawaiian = 'E hoʻokomo i kēia mau helu i loko o ka puka aniani hāmama';

describe('a large number alone on its line', () => {
  it.each([
    [`<p>${hawaiian}</p><div style="${large}">482913</div><p>ʻAʻole ʻoe? E holoi i kēia leka.</p>`, '482913'],
    [`<div style="${large}">482 913</div>`, '482913'],
    [`<div style="${large}">482-913</div>`, '482913'],
    [`<h1>4829</h1><p>${hawaiian}.</p>`, '4829'],
    [`<p>${hawaiian}</p><p style="font-size:18px">4829</p>`, '4829'],
    [`<p>${hawaiian}</p><p style="font-size:20px">48291</p>`, '48291'],
    [`<p>Enter it to sign in:</p><div style="font-size:22px">48291337</div>`, '48291337'],
    [
      `<p>${hawaiian}</p><table><tr><td style="font:700 28px/40px Arial">48291337</td></tr></table>`,
      '48291337',
    ],
    [
      `<p>Hi!</p><p style="font-size:2em"><b>482913</b></p><p>Acme Ltd, 12 Main St, 90210 Anytown</p>`,
      '482913',
    ],
  ])('%s', (html, code) => {
    expect(shown(html)).toBe(code);
  });

  it.each([
    ['of an order', `<p>Order number</p><div style="${large}">48291337</div><p>Total: $20.10</p>`],
    ['that counts', `<div style="${large}">48213</div><div>steps today</div>`],
    ['that counts, above its label', `<div style="${large}">48213</div><div>Points</div><p>Keep going!</p>`],
    ['beside another', `<div style="${large}">48213</div><div style="${large}">91822</div>`],
    ['with a price', `<div style="${large}">4821.50 €</div>`],
    ['under a label', `<p>Nā nānā ʻana</p><div style="${large}">48213</div><p>Mahalo iā ʻoe.</p>`],
    ['beside a label', `<table><tr><td>Profilaufrufe</td><td style="${large}">8421</td></tr></table>`],
    ['under a label with a colon', `<p>Startnummer:</p><div style="${large}">482913</div>`],
    ['that a sentence counts', `<p>Du bist 48291 Schritte gegangen.</p><div style="${large}">48291</div>`],
    ['that is a year', `<h1>2026</h1><p>${hawaiian}</p>`],
    ['that is a coupon', `<div style="${large}">SAVE15</div><p>${hawaiian}</p>`],
  ])('is not a code when it is one %s', (_what, html) => {
    expect(shown(html)).toBeNull();
  });
});

describe('a code in a field or in cells', () => {
  it.each([
    ['<p>Your code:</p><input type="text" readonly value="482913">', '482913'],
    ['<p>Your code:</p><INPUT VALUE="482913" style="font-size:22px">', '482913'],
    [
      `<p>Your code:</p>${[...'482913'].map((sign) => `<input maxlength="1" value="${sign}">`).join('')}`,
      '482913',
    ],
    ['<p>Your code:</p><table><tr><td>482</td><td>-</td><td>917</td></tr></table>', '482917'],
    ['<p>Your code:</p><table>\n<tr>\n<td>482</td>\n<td>–</td>\n<td>917</td>\n</tr></table>', '482917'],
  ])('%s', (html, code) => {
    expect(shown(html)).toBe(code);
  });

  it('ignores hidden fields, buttons and checkboxes', () => {
    const fields = ['hidden', 'submit', 'checkbox'].map((type) => `<input type="${type}" value="482913">`);
    expect(shown(`<p>Your code:</p>${fields.join('')}`, 'Your login code')).toBeNull();
    expect(shown('<p>Your code:</p><input style="display:none" value="482913">')).toBeNull();
  });
});
