// Mails with one number that is not a code: the phrases of test/fixtures/codes-fresh/figures.jsonl in every layout in
// which codes are shown. The same phrases always give the same mails.
import { readFileSync } from 'node:fs';

import type { LabelledMail } from './score-mails.ts';

/** `labels` name what is counted or numbered; `{n}` in the sentence is the number. */
interface FigurePhrases {
  readonly lang: string;
  readonly subject: string;
  readonly intro: string;
  readonly labels: readonly string[];
  readonly sentence: string;
}

type Body = Partial<Pick<LabelledMail, 'subject' | 'text' | 'html'>>;
interface Figure extends FigurePhrases {
  readonly label: string;
  readonly number: string;
}

const file = new URL('../fixtures/codes-fresh/figures.jsonl', import.meta.url);

const layouts: Record<string, (figure: Figure) => Body> = {
  above: ({ label, number, intro }) => page(`<p>${intro}</p><p>${label}</p>${large(number)}`),
  below: ({ label, number, intro }) => page(`<p>${intro}</p>${large(number)}<div>${label}</div>`),
  heading: ({ label, number, intro }) => page(`<h1>${number}</h1><p>${label}</p><p>${intro}</p>`),
  cell: ({ label, number, intro }) =>
    page(`<p>${intro}</p><table><tr><td>${label}</td><td style="font-size:28px">${number}</td></tr></table>`),
  colon: ({ label, number, intro }) => page(`<p>${intro}</p><p>${label}:</p>${large(number)}`),
  inline: ({ label, number, intro }) => page(`<p>${intro}</p><p>${label}: <b>${number}</b></p>`),
  sentence: ({ number, intro, sentence }) =>
    page(`<p>${sentence.replace('{n}', `<b style="font-size:28px">${number}</b>`)}</p><p>${intro}</p>`),
  twice: ({ number, intro, sentence }) =>
    page(`<p>${sentence.replace('{n}', number)}</p>${large(number)}<p>${intro}</p>`),
  text: ({ label, number, intro }) => ({ text: `${intro}\n\n${label}\n\n${number}\n\nNordly` }),
  'text-colon': ({ label, number, intro }) => ({ text: `${intro}\n\n${label}: ${number}\n\nNordly` }),
  subject: (figure) => ({ ...layouts.above?.(figure), subject: `${figure.label}: ${figure.number}` }),
  bare: ({ number, intro }) => page(`${large(number)}<p>${intro}</p>`),
};

export function makeFigureMails(): LabelledMail[] {
  const mails: LabelledMail[] = [];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const phrases = JSON.parse(line) as FigurePhrases;
    for (const label of phrases.labels) {
      for (const [layout, write] of Object.entries(layouts)) {
        const number = numberOf(mails.length);
        mails.push({
          id: `${phrases.lang}-${layout}-${label}`,
          lang: phrases.lang,
          from: 'Nordly <hello@nordly.example>',
          subject: phrases.subject,
          text: null,
          html: null,
          expected_code: null,
          also: [],
          ...write({ ...phrases, label, number }),
        });
      }
    }
  }
  return mails;
}

function page(body: string): Body {
  const style = 'padding:24px;font-family:Arial;font-size:16px;line-height:24px';
  return {
    html: `<html><body><table><tr><td style="${style}">${body}</td></tr></table><p>© 2026 Nordly</p></body></html>`,
  };
}

function large(number: string): string {
  return `<div style="font-size:34px;font-weight:700">${number}</div>`;
}

/** Four to eight digits, never a year and never round. */
function numberOf(index: number): string {
  const length = [4, 5, 6, 8][index % 4] ?? 6;
  return String(37_841_957 + index * 90_187).slice(0, length);
}
