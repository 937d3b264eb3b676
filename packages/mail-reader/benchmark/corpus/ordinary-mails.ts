// Templates of ordinary mail without a code, and of mail with the code of a parcel locker.
import type { Block } from './blocks.ts';
import {
  cardNumber,
  type Draft,
  footer,
  greeting,
  link,
  none,
  para,
  purpose,
  type Template,
} from './drafts.ts';
import { date, footerLines, type Kit, money } from './kit.ts';

export const ordinaryTemplates: Readonly<Record<string, Template>> = {
  'confirm-link': (kit) =>
    none(purpose(kit), [...greeting(kit), link(kit), ...kit.phrases.ignore.map(para), ...footer(kit)]),
  welcome: (kit) =>
    none(kit.brand, [...greeting(kit), ...kit.phrases.thanks.map(para), link(kit), ...footer(kit)]),
  letter: (kit) =>
    none(`Re: ${kit.person}`, [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      para(date(kit)),
      para(kit.person),
    ]),
  'sign-in-alert': (kit) =>
    none(purpose(kit), [
      ...greeting(kit),
      {
        kind: 'rows',
        rows: [
          [kit.brand, date(kit)],
          ['IP', `203.0.113.${kit.below(250)}`],
          ['Firefox', '128.0'],
        ],
      },
      ...kit.phrases.ignore.map(para),
      ...footer(kit),
    ]),
  newsletter: (kit) =>
    none(`${kit.brand} 2026`, [
      { kind: 'heading', text: kit.brand },
      ...kit.phrases.thanks.map(para),
      para(`${kit.pick(kit.phrases.figures)}: 2026`),
      ...footer(kit),
    ]),
  'payment-notice': (kit) => none(`${kit.brand} ${money(kit)}`, [para(cardNumber(kit)), ...footer(kit)]),
  'footer-only': (kit) =>
    none(kit.brand, [...kit.phrases.thanks.map(para), { kind: 'footer', lines: footerLines(kit) }]),
};

/** Their code may be shown, but does not sign in. */
export const pickupTemplates: Readonly<Record<string, Template>> = {
  'pickup-large': (kit) => pickup(kit, true),
  'pickup-row': (kit) => pickup(kit, false),
};

function pickup(kit: Kit, isLarge: boolean): Draft {
  const [sentence = '', label = ''] = kit.phrases.pickup;
  const code = kit.digits(kit.pick([4, 6, 6]));
  const tracking: [string, string] = [kit.phrases.orders[2] ?? '', kit.digits(kit.pick([8, 10]))];
  const blocks: Block[] = isLarge
    ? [para(sentence), para(label), { kind: 'value', text: code }, { kind: 'rows', rows: [tracking] }]
    : [para(sentence), { kind: 'rows', rows: [tracking, [label, code]] }];
  return {
    subject: sentence.replace(/[.।。]$/, ''),
    blocks: [...greeting(kit), ...blocks, ...footer(kit)],
    expect: code,
    also: [''],
  };
}
