// Templates that put a mail together at random: a subject, an opening, one value in one of many forms, what follows, and
// other numbers anywhere. Only for training: whole templates teach trees their order, these teach what belongs together.
import { type Block, mark } from './blocks.ts';
import {
  cardNumber,
  type Draft,
  fill,
  footer,
  link,
  none,
  order,
  otherCode,
  para,
  purpose,
} from './drafts.ts';
import type { Template } from './drafts.ts';
import { date, footerLines, type Kit, makeCode, mixed, money, otherNumber } from './kit.ts';
import { unknownWords } from './unknown-words.ts';

type Form = (kit: Kit, shown: string) => readonly Block[];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const name = (kit: Kit): string => capital(kit.pick(kit.phrases.names));
const request = (kit: Kit): string => kit.pick(kit.phrases.requests);
const plainRequest = (kit: Kit): string => request(kit).replace(/\s?[:：]$/, '');
const inline = (kit: Kit, code: string): string => fill(kit.pick(kit.phrases.inline), { c: code });
const valid = (kit: Kit): string =>
  fill(kit.pick(kit.phrases.valid), { n: kit.pick(['2', '5', '10', '15', '20', '30', '60']) });
const large = (kit: Kit, text: string): Block => ({ kind: 'value', text, large: kit.chance(0.7) });
const count = (kit: Kit): string => fill(kit.pick(kit.phrases.counts), { n: otherNumber(kit) });
const reference = (kit: Kit): string => `${order(kit, kit.below(5))}: ${otherNumber(kit)}`;

/** The code with words that say what it is, in every form. */
const codeForms: Readonly<Record<string, Form>> = {
  request: (kit, code) => [para(request(kit)), large(kit, code)],
  'request-line': (kit, code) => [para(`${plainRequest(kit)}: ${mark(code)}`)],
  'request-below': (kit, code) => [large(kit, code), para(`${plainRequest(kit)}.`)],
  sentence: (kit, code) => [para(inline(kit, mark(code)))],
  'sentence-within': (kit, code) => [
    para([kit.pick(kit.phrases.thanks), inline(kit, mark(code)), valid(kit)].join(' ')),
  ],
  'sentence-again': (kit, code) => [para(inline(kit, code)), large(kit, code)],
  label: (kit, code) => [para(`${name(kit)}${kit.pick([': ', ' – ', ' ', ' = ', '\n'])}${mark(code)}`)],
  'label-above': (kit, code) => [para(name(kit)), large(kit, code)],
  'label-below': (kit, code) => [large(kit, code), para(kit.pick(kit.phrases.names))],
  heading: (kit, code) => [{ kind: 'heading', text: name(kit) }, large(kit, code)],
  rows: (kit, code) => [
    {
      kind: 'rows',
      rows: shuffle(kit, [[name(kit), code], [kit.brand, date(kit)], ...(kit.chance(0.5) ? [row(kit)] : [])]),
    },
  ],
  lines: (kit, code) => [
    {
      kind: 'lines',
      lines: shuffle(kit, [`${name(kit)}: ${code}`, `${kit.brand}: ${date(kit)}`, kit.person]),
    },
  ],
};

/** The same forms with a number that is something else. */
const otherForms: Readonly<Record<string, Form>> = {
  figure: (kit, number) => [
    { kind: 'figure', value: number, label: kit.pick(kit.phrases.figures), above: kit.chance(0.5) },
  ],
  count: (kit, number) => [para(fill(kit.pick(kit.phrases.counts), { n: mark(number) }))],
  'count-again': (kit, number) => [
    para(fill(kit.pick(kit.phrases.counts), { n: number })),
    large(kit, number),
  ],
  reference: (kit, number) => [
    para(`${order(kit, kit.below(5))}${kit.pick([': ', ' – ', ' ', ' #', '\n'])}${mark(number)}`),
  ],
  'reference-above': (kit, number) => [para(order(kit, kit.below(5))), large(kit, number)],
  'reference-below': (kit, number) => [large(kit, number), para(order(kit, kit.below(5)))],
  'reference-heading': (kit, number) => [
    { kind: 'heading', text: order(kit, kit.below(5)) },
    large(kit, number),
  ],
  'other-code': (kit, number) => [para(`${otherCode(kit)}${kit.pick([': ', ' – ', ' '])}${mark(number)}`)],
  'other-code-above': (kit, number) => [para(otherCode(kit)), large(kit, number)],
  rows: (kit, number) => [
    {
      kind: 'rows',
      rows: shuffle(kit, [
        [order(kit, kit.below(5)), number],
        [kit.brand, date(kit)],
        row(kit),
        [order(kit, 5), money(kit)],
      ]),
      large: kit.chance(0.2),
    },
  ],
  lines: (kit, number) => [
    {
      kind: 'lines',
      lines: shuffle(kit, [`${order(kit, kit.below(5))}: ${number}`, reference(kit), kit.person]),
    },
  ],
  coupon: (kit) => [
    para(
      fill(kit.pick(kit.phrases.coupon), {
        k: mark(kit.pick([kit.digits(6), mixed(kit.signs, 7), 'SAVE25'])),
      }),
    ),
  ],
  complaint: (kit, number) => [
    para(`${kit.pick(kit.phrases.complaint)} (${kit.pick(['#', 'ID '])}${number})`),
  ],
  number: (kit, number) => [para(`${number} ${kit.pick(kit.phrases.figures)}`)],
  'unknown-label': (kit, number) => [
    { kind: 'figure', value: number, label: unknownWords(kit, 1 + kit.below(3)), above: kit.chance(0.5) },
  ],
};

/** Nothing but the subject says what it is. */
const alone: Form = (kit, code) => [large(kit, code)];

export const assembledCodeTemplates = toTemplates('code', { ...codeForms, alone }, (kit, form): Draft => {
  const { shown, value: expect } = makeCode(kit);
  const named = [() => purpose(kit), () => name(kit), () => `${kit.brand} – ${purpose(kit)}`];
  const subject = kit.pick([...named, ...(form === alone ? [] : unnamedSubjects(kit, shown))])();
  const blocks = [...opening(kit), ...form(kit, shown), ...some(kit, 3, afterCode)];
  return { subject, blocks: [...withNoise(kit, blocks), ...footer(kit)], expect };
});

function unnamedSubjects(kit: Kit, shown: string): (() => string)[] {
  return [
    () => kit.brand,
    () => kit.pick(kit.phrases.thanks),
    () => unknownWords(kit, 1 + kit.below(4)),
    () => inline(kit, shown),
    () => `${purpose(kit)} [${kit.signs(4)}]`,
    () => `${order(kit, 0)} ${otherNumber(kit)}`,
  ];
}

export const assembledOtherTemplates = toTemplates('other', otherForms, (kit, form): Draft => {
  const number = otherNumber(kit);
  const subject = kit.pick([
    // A number under words that none knows, in mail that confirms something, is a code.
    ...(form === otherForms['unknown-label'] ? [] : [() => purpose(kit)]),
    () => kit.brand,
    () => kit.pick(kit.phrases.figures),
    () => kit.pick(kit.phrases.thanks),
    () => `${order(kit, kit.below(5))} ${kit.pick(['', '#'])}${number}`,
    () => `${kit.pick(kit.phrases.complaint)} [#${otherNumber(kit)}]`,
    () => unknownWords(kit, 1 + kit.below(4)),
    () => `${number} – ${kit.pick(kit.phrases.figures)}`,
    () => count(kit),
  ])();
  const blocks = [...opening(kit), ...form(kit, number), ...some(kit, 3, afterOther)];
  return none(subject, [...withNoise(kit, blocks), ...footer(kit)]);
});

function toTemplates(
  prefix: string,
  forms: Readonly<Record<string, Form>>,
  make: (kit: Kit, form: Form) => Draft,
): Readonly<Record<string, Template>> {
  return Object.fromEntries(
    Object.entries(forms).map(([form, write]) => [
      `assembled-${prefix}-${form}`,
      (kit: Kit) => make(kit, write),
    ]),
  );
}

function opening(kit: Kit): Block[] {
  return some(kit, 2, (): Block => {
    const text = kit.pick([
      () => `${kit.person},`,
      () => kit.brand,
      () => kit.pick(kit.phrases.thanks),
      () => purpose(kit),
      () => unknownWords(kit, 5 + kit.below(9)),
      () => date(kit),
    ])();
    return kit.chance(0.25) ? { kind: 'heading', text } : para(text);
  });
}

function afterCode(kit: Kit): Block {
  return kit.pick<() => Block>([
    () => para(valid(kit)),
    () => para(valid(kit)),
    () => para(kit.pick(kit.phrases.ignore)),
    () => para(`${valid(kit)} ${kit.pick(kit.phrases.ignore)}`),
    () => para(kit.pick(kit.phrases.thanks)),
    () => link(kit),
    () => para(unknownWords(kit, 6 + kit.below(8))),
    () => para(`© 2026 ${kit.brand}`),
  ])();
}

function afterOther(kit: Kit): Block {
  return kit.pick<() => Block>([
    () => para(kit.pick(kit.phrases.thanks)),
    () => para(kit.pick(kit.phrases.ignore)),
    () => link(kit),
    () => para(kit.pick(kit.phrases.complaint)),
    () => para(purpose(kit)),
    () => para(unknownWords(kit, 6 + kit.below(8))),
    () => ({ kind: 'heading', text: kit.brand }),
  ])();
}

/** Numbers that mean something else, above or below. */
function withNoise(kit: Kit, blocks: readonly Block[]): Block[] {
  const noisy = [...blocks];
  for (const block of some(kit, 2, noise)) {
    if (kit.chance(0.6)) noisy.splice(kit.pick([0, noisy.length]), 0, block);
  }
  return noisy;
}

function noise(kit: Kit): Block {
  return kit.pick<() => Block>([
    () => para(reference(kit)),
    () => para(cardNumber(kit)),
    () => para(count(kit)),
    () => para(`${otherCode(kit)}: ${otherNumber(kit)}`),
    () => ({ kind: 'rows', rows: [row(kit), row(kit)] }),
    () => ({
      kind: 'rows',
      rows: [
        ['IP', `198.51.100.${kit.below(250)}`],
        ['Chrome', `${100 + kit.below(40)}.0`],
      ],
    }),
    () => ({
      kind: 'figure',
      value: otherNumber(kit),
      label: kit.pick(kit.phrases.figures),
      above: kit.chance(0.5),
    }),
    () => ({ kind: 'footer', lines: footerLines(kit) }),
    () => para(money(kit)),
  ])();
}

function row(kit: Kit): [string, string] {
  return [kit.pick([order(kit, kit.below(5)), kit.pick(kit.phrases.figures)]), otherNumber(kit)];
}

function some(kit: Kit, most: number, make: (kit: Kit) => Block): Block[] {
  return Array.from({ length: kit.below(most + 1) }, () => make(kit));
}

function shuffle<T>(kit: Kit, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(kit.below(left.length), 1)[0] as T);
}
