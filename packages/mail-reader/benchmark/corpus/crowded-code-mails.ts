// Templates of mail with a one-time code among other things: orders, advertisements, steps, particulars of the sign-in; and
// of codes in rarer forms.
import { type Block, mark } from './blocks.ts';
import { type Draft, fill, footer, greeting, link, order, para, purpose, type Template } from './drafts.ts';
import { date, footerLines, type Kit, makeCode, money, otherNumber } from './kit.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const name = (kit: Kit): string => capital(kit.pick(kit.phrases.names));
const request = (kit: Kit): string => kit.pick(kit.phrases.requests);
const inline = (kit: Kit, code: string): string => fill(kit.pick(kit.phrases.inline), { c: code });
const valid = (kit: Kit): string =>
  fill(kit.pick(kit.phrases.valid), { n: kit.pick(['3', '5', '10', '15', '30', '60']) });
const anySubject = (kit: Kit): string => kit.pick([purpose(kit), purpose(kit), kit.brand, name(kit)]);

/** A draft of what `write` puts around a code. */
function withCode(
  kit: Kit,
  subject: string,
  write: (shown: string) => readonly Block[],
  made = makeCode(kit),
): Draft {
  return { subject, blocks: write(made.shown), expect: made.value };
}

const circled = '⓪①②③④⑤⑥⑦⑧⑨';
const keycap = '\u{fe0f}\u{20e3}';

/** Digits apart from one another, circled, in keycaps, in wide forms. */
function spread(kit: Kit): { shown: string; value: string } {
  const value = kit.digits(kit.pick([4, 5, 6, 6, 8]));
  const shown = kit.pick([
    [...value].join(' '),
    [...value].join('-'),
    [...value].join(' · '),
    [...value].map((digit) => circled.charAt(Number(digit))).join(kit.pick(['', ' '])),
    [...value].map((digit) => digit + keycap).join(kit.pick(['', ' '])),
    [...value].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join(''),
  ]);
  return { shown, value };
}

function lettersOnly(kit: Kit): { shown: string; value: string } {
  const half = (): string => kit.signs(4, 'BCDFGHJKLMNPQRSTVWXZ');
  const value = `${half()}-${half()}`;
  return { shown: value, value };
}

export const crowdedCodeTemplates: Readonly<Record<string, Template>> = {
  'value-and-button': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      { kind: 'heading', text: name(kit) },
      { kind: 'value', text: code },
      link(kit),
      para(`${valid(kit)} ${kit.pick(kit.phrases.ignore)}`),
      ...footer(kit),
    ]),
  steps: (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      para(`1. ${kit.pick(kit.phrases.buttons)}`),
      para(`2. ${request(kit)}`),
      { kind: 'value', text: code, large: kit.chance(0.6) },
      para(`3. ${kit.pick(kit.phrases.thanks)}`),
      ...footer(kit),
    ]),
  'code-and-promotion': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      para(request(kit)),
      { kind: 'value', text: code },
      para(valid(kit)),
      {
        kind: 'figure',
        value: otherNumber(kit),
        label: kit.pick(kit.phrases.figures),
        above: kit.chance(0.5),
      },
      para(fill(kit.pick(kit.phrases.coupon), { k: kit.pick(['SAVE15', 'WELCOME20', kit.digits(6)]) })),
      ...footer(kit),
    ]),
  'code-for-order': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      {
        kind: 'rows',
        rows: [
          [order(kit, 0), otherNumber(kit)],
          [order(kit, 5), money(kit)],
        ],
      },
      para(inline(kit, mark(code))),
      para(kit.pick(kit.phrases.ignore)),
      ...footer(kit),
    ]),
  'wide-table': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      para(request(kit)),
      {
        kind: 'rows',
        rows: [
          [kit.brand, date(kit)],
          ['IP', `198.51.100.${kit.below(250)}`],
          [order(kit, 3), otherNumber(kit)],
          [name(kit), code],
          ['Chrome', `${String(100 + kit.below(40))}.0`],
        ],
      },
      para(valid(kit)),
      ...footer(kit),
    ]),
  'validity-alone': (kit) =>
    withCode(kit, kit.brand, (code) => [
      { kind: 'heading', text: kit.brand },
      { kind: 'value', text: code },
      para(valid(kit)),
      ...footer(kit),
    ]),
  'spread-digits': (kit) =>
    withCode(
      kit,
      anySubject(kit),
      (code) => [
        ...greeting(kit),
        para(request(kit)),
        { kind: 'value', text: code },
        para(valid(kit)),
        ...footer(kit),
      ],
      spread(kit),
    ),
  'device-letters': (kit) =>
    withCode(
      kit,
      anySubject(kit),
      (code) => [para(`${name(kit)}.`), para(request(kit)), { kind: 'value', text: code }, ...footer(kit)],
      lettersOnly(kit),
    ),
  'brand-and-sentence': (kit) =>
    withCode(kit, kit.brand, (code) => [
      para(`${kit.brand}: ${inline(kit, code)}`),
      ...(kit.chance(0.5) ? [link(kit)] : []),
    ]),
  'last-paragraph': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      para(kit.pick(kit.phrases.complaint)),
      para(`${inline(kit, mark(code))} ${valid(kit)}`),
      para(kit.person),
    ]),
  'name-and-dash': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      para(`${name(kit)} ${kit.pick(['– ', '— ', '= ', '', '» '])}${mark(code)}`),
      para(kit.pick(kit.phrases.ignore)),
      ...footer(kit),
    ]),
  'subject-tail': (kit) => {
    const made = makeCode(kit);
    const write = (code: string): Block[] => [
      para(request(kit)),
      { kind: 'value', text: code },
      ...footer(kit),
    ];
    return withCode(kit, `${purpose(kit)} ${made.shown}`, write, made);
  },
  'sentence-and-value': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      para(inline(kit, code)),
      { kind: 'value', text: code },
      para(kit.pick(kit.phrases.ignore)),
      ...footer(kit),
    ]),
  'reference-first': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      { kind: 'rows', rows: [[order(kit, 4), otherNumber(kit)]] },
      para(request(kit)),
      { kind: 'value', text: code, large: kit.chance(0.5) },
      para(kit.pick(kit.phrases.ignore)),
      { kind: 'footer', lines: footerLines(kit) },
    ]),
  'answer-with-code': (kit) =>
    withCode(kit, `Re: ${kit.pick(kit.phrases.complaint)}`, (code) => [
      para(inline(kit, code)),
      para(kit.person),
      {
        kind: 'quote',
        head: fill(kit.pick(kit.phrases.wrote), { d: date(kit), p: kit.person }),
        lines: [kit.pick(kit.phrases.complaint), otherNumber(kit)],
      },
    ]),
  'request-last': (kit) =>
    withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      para(valid(kit)),
      para(kit.pick(kit.phrases.ignore)),
      para(`${request(kit).replace(/\s?[:：]$/, '')}: ${mark(code)}`),
    ]),
  'old-and-new': (kit) => {
    const old = makeCode(kit).shown;
    const [sentence] = [kit.phrases.oldAndNew, kit.phrases.inline]
      .filter((list) => list.length > 0)
      .map(kit.pick);
    return withCode(kit, anySubject(kit), (code) => [
      ...greeting(kit),
      para(fill(sentence ?? '', { o: old, c: kit.chance(0.5) ? mark(code) : code })),
      ...footer(kit),
    ]);
  },
};
