// Templates of mail without a code in which one number stands out as a code would, and of mail full of other numbers.
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
  para,
  purpose,
  type Template,
} from './drafts.ts';
import { date, footerLines, type Kit, makeCode, mixed, money, otherNumber } from './kit.ts';

/** Names of header fields where mail programs quote them: from, sent, to, subject. */
const headers: Readonly<Record<string, string>> = {
  de: 'Von Gesendet An Betreff',
  fr: 'De Envoyé À Objet',
  es: 'De Enviado Para Asunto',
  pt: 'De Enviado Para Assunto',
  it: 'Da Inviato A Oggetto',
  nl: 'Van Verzonden Aan Onderwerp',
  pl: 'Od Wysłano Do Temat',
  sv: 'Från Skickat Till Ämne',
  da: 'Fra Sendt Til Emne',
  cs: 'Od Odesláno Komu Předmět',
  ru: 'От Отправлено Кому Тема',
  tr: 'Kimden Gönderildi Kime Konu',
  zh: '发件人 发送时间 收件人 主题',
  ja: '差出人 送信日時 宛先 件名',
};

function quotedHeaders(kit: Kit): string[] {
  const [from = '', sent = '', to = '', subject = ''] = (
    headers[kit.phrases.language] ?? 'From Sent To Subject'
  ).split(' ');
  const address = kit.brand.toLowerCase().replace(/\W/g, '');
  return [
    `${from}: ${kit.brand} <no-reply@${address}.example>`,
    `${sent}: ${date(kit)}`,
    `${to}: ${kit.person} <${kit.person.toLowerCase()}@mail.example>`,
    `${subject}: ${purpose(kit)}`,
  ];
}

const networks = ['Wi-Fi', 'WLAN', 'WiFi', 'SSID'];
const value = (text: string, large = true): Block => ({ kind: 'value', text, large });
const figure = (kit: Kit): string => kit.pick(kit.phrases.figures);
const count = (kit: Kit, number: string): string => fill(kit.pick(kit.phrases.counts), { n: number });

export const figureTemplates: Readonly<Record<string, Template>> = {
  'count-twice': (kit) => {
    const number = otherNumber(kit);
    return none(kit.brand, [para(count(kit, number)), value(number), link(kit), ...footer(kit)]);
  },
  'bare-figure': (kit) =>
    none(kit.pick([kit.brand, bare(kit.pick(kit.phrases.thanks))]), [
      value(otherNumber(kit)),
      ...kit.phrases.thanks.map(para),
      ...footer(kit),
    ]),
  'figure-cell': (kit) =>
    none(kit.brand, [
      ...kit.phrases.thanks.map(para),
      { kind: 'rows', rows: [[figure(kit), otherNumber(kit)]], large: true },
      ...footer(kit),
    ]),
  'figure-named-in-subject': (kit) => {
    const number = otherNumber(kit);
    return none(`${figure(kit)}: ${number}`, [
      ...greeting(kit),
      para(figure(kit)),
      value(number),
      link(kit),
      ...footer(kit),
    ]);
  },
  'figure-line': (kit) =>
    none(kit.pick([kit.brand, figure(kit)]), [
      ...kit.phrases.thanks.map(para),
      para(`${figure(kit)}: ${mark(otherNumber(kit))}`),
      ...footer(kit),
    ]),
  'figure-text': (kit) =>
    none(kit.brand, [para(figure(kit)), value(otherNumber(kit), false), para(kit.pick(kit.phrases.thanks))]),
  'order-twice': (kit) => {
    const number = otherNumber(kit);
    return none(`${order(kit, 0)} ${number}`, [
      { kind: 'heading', text: order(kit, 0) },
      value(number),
      ...kit.phrases.thanks.map(para),
      link(kit),
      ...footer(kit),
    ]);
  },
  'reference-below-colon': (kit) =>
    none(purpose(kit), [
      ...greeting(kit),
      para(`${order(kit, kit.below(5))}:`),
      value(otherNumber(kit)),
      ...kit.phrases.ignore.map(para),
      ...footer(kit),
    ]),
  'bank-alert': (kit) =>
    none(kit.brand, [
      para(cardNumber(kit)),
      {
        kind: 'rows',
        rows: [
          [order(kit, 5), money(kit)],
          [order(kit, 4), otherNumber(kit)],
          [kit.brand, date(kit)],
        ],
      },
      ...kit.phrases.ignore.map(para),
      link(kit),
      ...footer(kit),
    ]),
  statement: (kit) =>
    none(`${kit.brand} ${date(kit)}`, [
      {
        kind: 'rows',
        rows: Array.from({ length: 4 + kit.below(4) }, (): [string, string] =>
          kit.chance(0.5) ? [figure(kit), otherNumber(kit)] : [order(kit, kit.below(6)), money(kit)],
        ),
      },
      ...footer(kit),
    ]),
  log: (kit) =>
    none(`[${kit.brand.toLowerCase()}] ${kit.pick(['cron', 'backup', 'deploy', 'sshd'])} ${kit.digits(4)}`, [
      para(
        Array.from({ length: 3 + kit.below(4) }, () => {
          const time = `2026-11-0${1 + kit.below(9)} 0${kit.below(9)}:${10 + kit.below(50)}:${10 + kit.below(50)}`;
          return `${time} host${kit.below(9)} app[${kit.digits(5)}]: ${kit.pick(['verified', 'code', 'login', 'accepted', 'sent'])} ${otherNumber(kit)}`;
        }).join('\n'),
      ),
    ]),
  'build-notes': (kit) =>
    none(`${kit.brand} ${kit.below(9)}.${kit.below(30)}.0 (${kit.digits(5)})`, [
      ...kit.phrases.thanks.map(para),
      para(`${kit.signs(7, 'abcdef0123456789')} ${kit.pick(kit.phrases.complaint)} (#${kit.digits(4)})`),
      para(`${kit.signs(7, 'abcdef0123456789')} ${purpose(kit)} (!${kit.digits(5)})`),
    ]),
  meeting: (kit) =>
    none(kit.pick(['Invitation', kit.brand, bare(kit.pick(kit.phrases.thanks))]), [
      link(kit),
      {
        kind: 'rows',
        rows: [
          ['Meeting ID', `${kit.digits(3)} ${kit.digits(4)} ${kit.digits(4)}`],
          ['Passcode', kit.pick([kit.digits(6), mixed(kit.signs, 6)])],
        ],
      },
      para(date(kit)),
    ]),
  network: (kit) => {
    const key = kit.pick([
      `${kit.brand.replace(/\W/g, '')}${kit.digits(4)}`,
      kit.digits(8),
      mixed(kit.signs, 8),
    ]);
    const at = kit.pick(networks);
    return none(`${at} ${kit.brand}`, [
      ...kit.phrases.thanks.map(para),
      {
        kind: 'rows',
        rows: [
          [at, kit.brand],
          [kit.pick(['Password', 'WPA2', `${at} Password`]), key],
        ],
      },
      ...footer(kit),
    ]);
  },
  'coupon-until': (kit) =>
    none(`${kit.brand} -${kit.pick(['10', '15', '20', '30'])} %`, [
      para(
        fill(kit.pick(kit.phrases.coupon), {
          k: mark(kit.pick([kit.digits(6), mixed(kit.signs, 7), 'FRESH25'])),
        }),
      ),
      para(`→ ${date(kit)}`),
      link(kit),
      ...footer(kit),
    ]),
  'ticket-with-quote': (kit) =>
    none(`Re: ${kit.pick(kit.phrases.complaint)} [#${kit.digits(6)}]`, [
      ...greeting(kit),
      ...kit.phrases.thanks.map(para),
      para(kit.person),
      {
        kind: 'quote',
        head: fill(kit.pick(kit.phrases.wrote), { d: date(kit), p: kit.person }),
        lines: [
          kit.pick(kit.phrases.complaint),
          fill(kit.pick(kit.phrases.inline), { c: makeCode(kit).shown }),
        ],
      },
    ]),
  'quoted-headers': (kit) =>
    none(`Fw: ${purpose(kit)}`, [
      ...kit.phrases.thanks.map(para),
      para(kit.pick(kit.phrases.complaint)),
      para(kit.person),
      { kind: 'lines', lines: quotedHeaders(kit) },
      para(fill(kit.pick(kit.phrases.inline), { c: makeCode(kit).shown })),
      para(kit.pick(kit.phrases.ignore)),
    ]),
  'rating-scale': (kit) =>
    none(kit.pick(kit.phrases.thanks), [
      ...greeting(kit),
      para(kit.pick(['0 1 2 3 4 5 6 7 8 9 10', '1 2 3 4 5', '1 · 2 · 3 · 4 · 5 · 6 · 7'])),
      para(`${order(kit, 0)} ${otherNumber(kit)}`),
      ...footer(kit),
    ]),
  'invitation-and-members': (kit) =>
    none(`${kit.person} · ${kit.brand}`, [
      { kind: 'heading', text: kit.brand },
      link(kit),
      para(`${otherNumber(kit)} ${kit.phrases.figures[4] ?? ''}`),
      para(kit.pick(kit.phrases.ignore)),
      { kind: 'footer', lines: footerLines(kit) },
    ]),
  'numbers-in-words': (kit) =>
    none(bare(kit.pick(kit.phrases.thanks)), [
      ...greeting(kit),
      para([count(kit, otherNumber(kit)), ...kit.phrases.thanks, count(kit, otherNumber(kit))].join(' ')),
      para(kit.person),
    ]),
};
