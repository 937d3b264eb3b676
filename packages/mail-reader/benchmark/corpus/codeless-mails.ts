// Templates of mail without a one-time code that is written as a trap: large figures, orders, invoices, coupons, quotes,
// trackers, footers full of numbers.
import { type Block, mark } from './blocks.ts';
import {
  bare,
  cardNumber,
  fill,
  footer,
  greeting,
  link,
  none,
  order,
  otherCode,
  para,
  purpose,
  type Template,
} from './drafts.ts';
import { date, footerLines, type Kit, makeCode, mixed, money, otherNumber } from './kit.ts';
import { unknownWords } from './unknown-words.ts';

const figure = (kit: Kit, above = kit.chance(0.4)): Block => ({
  kind: 'figure',
  value: otherNumber(kit),
  label: kit.pick(kit.phrases.figures),
  above,
});
function coupon(kit: Kit): string {
  return kit.pick([
    kit.pick(['WELCOME20', 'SAVE15', 'HERBST20', 'SPRING25', 'HELLO10', 'EXTRA30']),
    mixed(kit.signs, 8),
    `${kit.signs(4)}-${kit.digits(4)}`,
    kit.digits(6),
  ]);
}

const labelled = (kit: Kit): string => fill(kit.pick(kit.phrases.labels), { n: mark(otherNumber(kit)) });

export const hardTemplates: Readonly<Record<string, Template>> = {
  figure: (kit) => none(kit.brand, [...greeting(kit), figure(kit), ...footer(kit)]),
  'figure-with-text': (kit) =>
    none(kit.pick(kit.phrases.figures), [
      ...kit.phrases.thanks.map(para),
      figure(kit),
      link(kit),
      ...footer(kit),
    ]),
  'figure-in-subject': (kit) => {
    const value = otherNumber(kit);
    const label = kit.pick(kit.phrases.figures);
    return none(`${value} ${label}`, [
      { kind: 'figure', value, label, above: kit.chance(0.5) },
      ...footer(kit),
    ]);
  },
  figures: (kit) =>
    none(`${kit.brand} · ${date(kit)}`, [
      figure(kit, false),
      figure(kit, false),
      figure(kit, false),
      ...footer(kit),
    ]),
  'figure-row': (kit) =>
    none(kit.brand, [
      { kind: 'rows', rows: [[kit.pick(kit.phrases.figures), otherNumber(kit)]] },
      ...footer(kit),
    ]),
  'figure-and-purpose': (kit) =>
    none(purpose(kit), [
      ...greeting(kit),
      figure(kit),
      link(kit),
      ...kit.phrases.ignore.map(para),
      ...footer(kit),
    ]),
  'figure-and-coupon': (kit) =>
    none(kit.brand, [
      figure(kit),
      para(fill(kit.pick(kit.phrases.coupon), { k: coupon(kit) })),
      ...footer(kit),
    ]),
  count: (kit) =>
    none(kit.brand, [
      ...greeting(kit),
      para(
        fill(kit.pick(kit.phrases.counts), {
          n: kit.chance(0.5) ? mark(otherNumber(kit)) : otherNumber(kit),
        }),
      ),
      ...footer(kit),
    ]),
  'count-in-subject': (kit) =>
    none(fill(kit.pick(kit.phrases.counts), { n: otherNumber(kit) }), [
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'order-rows': (kit) =>
    none(bare(kit.pick(kit.phrases.thanks)), [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      {
        kind: 'rows',
        rows: [
          [order(kit, 0), otherNumber(kit)],
          [order(kit, 5), money(kit)],
          [order(kit, 3), otherNumber(kit)],
        ],
      },
      ...footer(kit),
    ]),
  'order-in-subject': (kit) => {
    const value = otherNumber(kit);
    return none(`${order(kit, 0)} ${kit.chance(0.4) ? '#' : ''}${value}`, [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      para(`${order(kit, 0)}: ${mark(value)}`),
      ...footer(kit),
    ]);
  },
  'order-large': (kit) =>
    none(kit.brand, [
      ...kit.phrases.thanks.map(para),
      { kind: 'figure', value: otherNumber(kit), label: order(kit, kit.below(5)), above: true },
      ...footer(kit),
    ]),
  invoice: (kit) =>
    none(`${order(kit, 1)} ${kit.digits(8)}`, [
      {
        kind: 'rows',
        rows: [
          [order(kit, 1), kit.digits(8)],
          [order(kit, 4), otherNumber(kit)],
          [order(kit, 5), money(kit)],
        ],
      },
      { kind: 'footer', lines: footerLines(kit) },
    ]),
  tracking: (kit) =>
    none(order(kit, 2), [
      ...kit.phrases.thanks.map(para),
      para(order(kit, 2)),
      {
        kind: 'value',
        text: kit.pick([kit.digits(8), kit.digits(10), `JJD${kit.digits(12)}`, `RR${kit.digits(9)}DE`]),
      },
      ...footer(kit),
    ]),
  coupon: (kit) =>
    none('-20 %', [
      para(fill(kit.pick(kit.phrases.coupon), { k: mark(coupon(kit)) })),
      link(kit),
      ...footer(kit),
    ]),
  'coupon-large': (kit) => {
    const value = coupon(kit);
    return none(`-20 % · ${kit.brand}`, [
      para(fill(kit.pick(kit.phrases.coupon), { k: value })),
      { kind: 'value', text: value },
      ...footer(kit),
    ]);
  },
  card: (kit) =>
    none(bare(cardNumber(kit)), [
      para(cardNumber(kit)),
      {
        kind: 'rows',
        rows: [
          [order(kit, 4), otherNumber(kit)],
          [kit.brand, date(kit)],
        ],
      },
      ...footer(kit),
    ]),
  quoted: (kit) => {
    const quote: Block = {
      kind: 'quote',
      head: fill(kit.pick(kit.phrases.wrote), { d: date(kit), p: kit.person }),
      lines: [fill(kit.pick(kit.phrases.inline), { c: makeCode(kit).shown }), ...kit.phrases.valid],
    };
    const answer = [...kit.phrases.thanks, kit.pick(kit.phrases.complaint)].map(para);
    return none(`Re: ${purpose(kit)}`, [...greeting(kit), ...answer, quote]);
  },
  complaint: (kit) =>
    none(`${kit.pick(kit.phrases.complaint)} (#${otherNumber(kit)})`, [
      ...greeting(kit),
      para(kit.pick(kit.phrases.complaint)),
      { kind: 'rows', rows: [[order(kit, 4), otherNumber(kit)]] },
      ...footer(kit),
    ]),
  tracker: (kit) =>
    none(`[${kit.signs(4, 'ABCDEFGH')}-${kit.digits(4)}] ${kit.pick(kit.phrases.complaint)}`, [
      para(`${kit.person}: ${kit.pick(kit.phrases.complaint)}`),
      para(`#${otherNumber(kit)}`),
      link(kit),
    ]),
  'footer-numbers': (kit) =>
    none(purpose(kit), [
      link(kit),
      ...kit.phrases.ignore.map(para),
      { kind: 'footer', lines: footerLines(kit) },
      { kind: 'footer', lines: footerLines(kit) },
    ]),
  'customer-large': (kit) =>
    none(order(kit, 3), [
      para(order(kit, 3)),
      { kind: 'value', text: otherNumber(kit) },
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'customer-line': (kit) =>
    none(kit.brand, [
      para(`${order(kit, 3)}: ${mark(otherNumber(kit))}`),
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'confirm-order': (kit) =>
    none(`${purpose(kit)} · ${order(kit, 0)} ${otherNumber(kit)}`, [
      ...greeting(kit),
      {
        kind: 'rows',
        rows: [
          [order(kit, 0), otherNumber(kit)],
          [order(kit, 5), money(kit)],
        ],
      },
      link(kit),
      ...footer(kit),
    ]),
  booking: (kit) =>
    none(`${kit.brand} ${mixed(kit.signs, 6)}`, [
      para(order(kit, 4)),
      { kind: 'value', text: mixed(kit.signs, 6) },
      { kind: 'rows', rows: [[order(kit, 5), money(kit)]] },
      ...footer(kit),
    ]),
  'purpose-and-count': (kit) =>
    none(purpose(kit), [
      ...greeting(kit),
      para(fill(kit.pick(kit.phrases.counts), { n: mark(otherNumber(kit)) })),
      link(kit),
      ...footer(kit),
    ]),
  'alert-and-figure': (kit) =>
    none(kit.brand, [...kit.phrases.ignore.map(para), figure(kit), ...footer(kit)]),
  'purpose-heading-figure': (kit) =>
    none(purpose(kit), [
      { kind: 'heading', text: purpose(kit) },
      figure(kit),
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'figure-below-colon': (kit) =>
    none(kit.brand, [
      para(`${kit.pick(kit.phrases.figures)}:`),
      { kind: 'value', text: otherNumber(kit) },
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'issue-comment': (kit) =>
    none(`Re: [${kit.brand.toLowerCase()}/api] ${kit.pick(kit.phrases.complaint)} (#${otherNumber(kit)})`, [
      para(`${kit.person}: ${kit.pick(kit.phrases.complaint)}`),
      para(`${kit.pick(kit.phrases.names)}: 500 / ${otherNumber(kit)}`),
      { kind: 'footer', lines: [`https://git.example/${kit.brand.toLowerCase()}/issues/${kit.digits(4)}`] },
    ]),
  'issue-key': (kit) =>
    none(`(${kit.signs(3, 'ABCDEFGH')}-${otherNumber(kit)}) ${kit.pick(kit.phrases.complaint)}`, [
      para(kit.pick(kit.phrases.complaint)),
      para(`${kit.signs(3, 'ABCDEFGH')}-${otherNumber(kit)} · ${kit.person}`),
      link(kit),
      ...footer(kit),
    ]),
  'figures-about-codes': (kit) =>
    none(kit.pick(kit.phrases.names), [
      {
        kind: 'rows',
        rows: [
          [kit.pick(kit.phrases.figures), kit.digits(5)],
          [kit.pick(kit.phrases.figures), otherNumber(kit)],
        ],
      },
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  forwarded: (kit) => {
    const head = `From: ${kit.brand} <no-reply@mail.example>\nDate: ${date(kit)}\nSubject: ${purpose(kit)}`;
    const lines = [fill(kit.pick(kit.phrases.inline), { c: makeCode(kit).shown }), ...kit.phrases.ignore];
    return none(`Fwd: ${purpose(kit)}`, [
      ...kit.phrases.thanks.map(para),
      para(kit.pick(kit.phrases.complaint)),
      { kind: 'quote', head, lines },
    ]);
  },
  'booking-line': (kit) =>
    none(bare(kit.pick(kit.phrases.thanks)), [
      para(`${order(kit, 4)}: ${mark(mixed(kit.signs, 6))}`),
      {
        kind: 'rows',
        rows: [
          [order(kit, 5), money(kit)],
          [kit.brand, date(kit)],
        ],
      },
      ...footer(kit),
    ]),
  'other-code-line': (kit) =>
    none(kit.pick([kit.brand, bare(kit.pick(kit.phrases.thanks))]), [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      para(`${otherCode(kit)}: ${mark(otherNumber(kit))}`),
      ...footer(kit),
    ]),
  'other-code-large': (kit) =>
    none(kit.brand, [
      para(otherCode(kit)),
      { kind: 'value', text: otherNumber(kit) },
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'other-code-rows': (kit) =>
    none(purpose(kit), [
      {
        kind: 'rows',
        rows: [
          [otherCode(kit), otherNumber(kit)],
          [order(kit, 0), otherNumber(kit)],
          [otherCode(kit), mixed(kit.signs, 6)],
        ],
      },
      link(kit),
      ...footer(kit),
    ]),
  'unknown-label': (kit) =>
    none(kit.brand, [
      {
        kind: 'figure',
        value: otherNumber(kit),
        label: unknownWords(kit, 1 + kit.below(3)),
        above: kit.chance(0.5),
      },
      ...(kit.chance(0.5) ? [para(unknownWords(kit, 12))] : []),
      ...footer(kit),
    ]),
  'unknown-count': (kit) =>
    none(unknownWords(kit, 4), [
      para(`${unknownWords(kit, 4)} ${mark(otherNumber(kit))} ${unknownWords(kit, 3).toLowerCase()}.`),
      ...footer(kit),
    ]),
  'label-alone': (kit) => none(kit.brand, [...greeting(kit), para(labelled(kit)), ...footer(kit)]),
  'labels-alone': (kit) =>
    none(bare(kit.pick(kit.phrases.thanks)), [para(labelled(kit)), para(labelled(kit)), ...footer(kit)]),
  places: (kit) =>
    none(kit.brand, [
      {
        kind: 'rows',
        rows: [
          [kit.phrases.footer[3] ?? '', kit.digits(5)],
          [kit.phrases.footer[1] ?? '', `0${kit.digits(3)} ${kit.digits(6)}`],
        ],
      },
      ...kit.phrases.thanks.map(para),
    ]),
  'alert-with-reference': (kit) =>
    none(purpose(kit), [
      ...greeting(kit),
      ...kit.phrases.ignore.map(para),
      {
        kind: 'rows',
        rows: [
          [order(kit, 4), otherNumber(kit)],
          ['IP', `203.0.113.${kit.below(250)}`],
        ],
      },
      ...footer(kit),
    ]),
};
