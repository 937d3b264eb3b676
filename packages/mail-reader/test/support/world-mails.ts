// Mail generated from the phrases in test/fixtures/codes-world: every language in every layout, with and without a
// code. The same phrases always give the same mail. For the tests of src/extract.
import { readFileSync } from 'node:fs';

import type { CodeSample } from './code-samples.ts';

/** The phrases of one language: `{c}` a code, `{n}` another number, `{p}` a price, `{k}` a coupon. */
interface Phrases {
  readonly l: string;
  /** Subjects of a mail with a code: without the code, and with it. */
  readonly s: string;
  readonly sc: string;
  /** Requests to type the code below; sentences that contain the code. */
  readonly a: [string, string];
  readonly i: [string, string];
  /** How long the code is valid, and what to do if it was not requested. */
  readonly v: string;
  /** Subject and labels of a mail about an order. */
  readonly o: string;
  readonly ol: string[];
  /** An advertisement with a coupon that it does not name, and news with a number. */
  readonly k: string;
  readonly n: string;
  /** Buttons to verify, to sign in, to reset. */
  readonly b: [string, string, string];
  /** Postal address in the footer. */
  readonly ad: string;
}

export interface WorldMail extends CodeSample {
  readonly language: string;
}

interface Kit {
  readonly phrases: Phrases;
  readonly brand: string;
  /** Returns a number of this many digits, never a year and never round. */
  readonly number: (digits: number) => string;
  readonly signs: () => string;
  readonly price: () => string;
  /** Wraps paragraphs in HTML the way mail builders do. */
  readonly page: (body: string) => string;
}

interface Parts {
  readonly subject: string;
  readonly text?: string;
  readonly html?: string | null;
  readonly expect: string | null;
  readonly links?: Record<string, string>;
}

const folder = new URL('../fixtures/codes-world/', import.meta.url);
const couponSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const coupons = ['SAVE15', 'WELCOME10', 'SPRING20', 'HELLO25', 'FRESH30', 'SUMMER2026', 'BOOTS10', 'EXTRA15'];
/** The half that is wrapped in another builder's way. */
const mirrored = 'blind';

export function makeWorldMails(set: 'dev' | 'blind'): WorldMail[] {
  const lines = readFileSync(new URL(`${set}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line, i) => mailsOf(JSON.parse(line) as Phrases, set, i));
}

function mailsOf(phrases: Phrases, set: 'dev' | 'blind', index: number): WorldMail[] {
  const layouts = { ...withCode, ...withoutCode };
  return Object.entries(layouts).map(([template, make], i) => {
    const random = createRandom(index * 1009 + i * 31 + (set === mirrored ? 500_009 : 7));
    const kit = createKit(phrases, random, set === mirrored ? nestedTables : card);
    const { subject, text = '', html = null, expect, links } = make(kit);
    return {
      id: `${phrases.l}-${set}-${template}`,
      language: phrases.l,
      template,
      split: set === 'dev' ? 'tune' : 'held',
      subject,
      senderName: kit.brand,
      senderEmail: 'no-reply@brand.example',
      text,
      html,
      expect,
      ...(links && { links }),
    };
  });
}

const withCode: Record<string, (kit: Kit) => Parts> = {
  'text-below': ({ phrases: { s, a, v, ad }, number }) => {
    const code = number(6);
    return { subject: s, text: `${a[0]}\n\n${code}\n\n${v}\n\n-- \n${ad}\n`, expect: code };
  },
  'text-inline': ({ phrases: { i, v, ad }, brand, number }) => {
    const code = number(6);
    return { subject: brand, text: `${fill(i[0], code)} ${v}\n\n${ad}\n`, expect: code };
  },
  'text-typed': ({ phrases: { s, i, ad }, number }) => {
    const code = number(5);
    return { subject: s, text: `${fill(i[1], code)}\n\n${ad}\n`, expect: code };
  },
  'html-large': ({ phrases: { s, a, v, ad }, page, number }) => {
    const code = number(6);
    return { subject: s, html: page(`${p(a[0])}${large(code)}${p(v)}${small(ad)}`), expect: code };
  },
  'html-large-bare': ({ phrases: { ad }, brand, page, number }) => {
    const code = number(6);
    return { subject: brand, html: page(`${large(code)}${small(ad)}`), expect: code };
  },
  'html-cells': ({ phrases: { s, a, v, ad }, page, number }) => {
    const code = number(6);
    const cells = [...code].map((digit) => `<td style="padding:8px;border:1px solid #ccc">${digit}</td>`);
    const table = `<table><tr>${cells.join('')}</tr></table>`;
    return { subject: s, html: page(`${p(a[1])}${table}${p(v)}${small(ad)}`), expect: code };
  },
  'html-grouped': ({ phrases: { s, a, v, ad }, page, number }) => {
    const code = number(6);
    const shown = `${code.slice(0, 3)} ${code.slice(3)}`;
    return { subject: s, html: page(`${p(a[1])}${large(shown)}${p(v)}${small(ad)}`), expect: code };
  },
  'html-signs': ({ phrases: { s, a, v, ad }, page, signs }) => {
    const code = signs();
    return { subject: s, html: page(`${p(a[0])}${large(code)}${p(v)}${small(ad)}`), expect: code };
  },
  'html-input': ({ phrases: { s, a, v, ad }, page, number }) => {
    const code = number(6);
    const field = `<input type="text" readonly value="${code}" style="font-size:22px;text-align:center">`;
    return { subject: s, html: page(`${p(a[0])}${field}${p(v)}${small(ad)}`), expect: code };
  },
  'subject-and-body': ({ phrases: { sc, i, ad }, page, number }) => {
    const code = number(6);
    return { subject: fill(sc, code), html: page(`${p(fill(i[0], code))}${small(ad)}`), expect: code };
  },
  'four-digits': ({ phrases: { s, a, v, ad }, page, number }) => {
    const code = number(4);
    return { subject: s, html: page(`${p(a[0])}${large(code)}${p(v)}${small(ad)}`), expect: code };
  },
};

const withoutCode: Record<string, (kit: Kit) => Parts> = {
  order: (kit) => {
    const { o, ad } = kit.phrases;
    return { subject: o, text: `${labels(kit).join('\n')}\n\n${ad}\n`, expect: null };
  },
  'order-table': (kit) => {
    const { o, ad } = kit.phrases;
    const rows = labels(kit).map((line) => {
      const [name = '', value] = line.split(/[:：]\s?/);
      return `<tr><td>${name}</td><td><b>${value ?? ''}</b></td></tr>`;
    });
    const html = kit.page(`<h2>${o}</h2><table>${rows.join('')}</table>${small(ad)}`);
    return { subject: o, html, expect: null };
  },
  'label-alone': (kit) => {
    const { o, ol, ad } = kit.phrases;
    const text = `${o}\n\n${fillNumber(ol[1] ?? '', kit.number(6))}\n\n${ad}\n`;
    return { subject: `${kit.brand} 2026`, text, expect: null };
  },
  'second-label-alone': (kit) => {
    const { o, ol, ad } = kit.phrases;
    const html = kit.page(`${p(o)}${p(`<b>${fillNumber(ol[2] ?? '', kit.number(5))}</b>`)}${small(ad)}`);
    return { subject: kit.brand, html, expect: null };
  },
  coupon: (kit) => {
    const { k, n, ad } = kit.phrases;
    const coupon = coupons[Number(kit.number(3)) % coupons.length] ?? '';
    const text = k.replaceAll('{k}', coupon);
    const html = kit.page(`${p(text)}${p(n.replace('{n}', kit.number(3)))}${small(ad)}`);
    return { subject: `${kit.brand} 🎉`, html, expect: null };
  },
  'coupon-text': ({ phrases: { k, ad }, brand, number }) => {
    const coupon = coupons[Number(number(3)) % coupons.length] ?? '';
    return { subject: brand, text: `${k.replaceAll('{k}', coupon)}\n\n${ad}\n`, expect: null };
  },
  news: ({ phrases: { n, ad }, brand, number }) => {
    return { subject: `${brand} 2026`, text: `${n.replace('{n}', number(5))}\n\n${ad}\n`, expect: null };
  },
  'verify-link': (kit) => linkMail(kit, 0, 'verify'),
  'login-link': (kit) => linkMail(kit, 1, 'login'),
  'reset-link': (kit) => linkMail(kit, 2, 'reset'),
};

function labels(kit: Kit): string[] {
  const digits = [7, 5, 6, 5];
  return kit.phrases.ol.map((label, i) =>
    fillNumber(label, kit.number(digits[i] ?? 6)).replace('{p}', kit.price()),
  );
}

/** A button whose URL is a click tracker's and says nothing. */
function linkMail(kit: Kit, which: 0 | 1 | 2, kind: string): Parts {
  const { b, ad } = kit.phrases;
  const url = `https://click.brand.example/ls/click?upn=u001.${kit.signs()}${kit.signs()}x${kit.signs()}`;
  const button =
    `<table><tr><td bgcolor="#2255cc"><a href="${url}" style="padding:12px 24px;color:#fff">` +
    `${b[which]}</a></td></tr></table>`;
  const html = kit.page(`${button}${small(ad)}`);
  return { subject: kit.brand, html, expect: null, links: { [url]: kind } };
}

function createKit(phrases: Phrases, random: (below: number) => number, page: Kit['page']): Kit {
  const number = (digits: number): string => {
    let value = String(3 + random(7));
    while (value.length < digits) value += String(random(10));
    return /0{3,}$|^(\d)\1+$/.test(value) ? number(digits) : value;
  };
  const signs = (): string => {
    const drawn = Array.from({ length: 6 }, () => couponSigns.charAt(random(couponSigns.length))).join('');
    return /\d.*\d/.test(drawn) && /[A-Z].*\d.*[A-Z]|\d.*[A-Z]/.test(drawn) ? drawn : signs();
  };
  const price = (): string => `${String(20 + random(400))},${String(10 + random(90))}`;
  return { phrases, brand: phrases.ad.split(/[\s,،]/)[0] ?? '', number, signs, price, page };
}

/** The linear congruential generator of "Numerical Recipes": the same numbers on every machine. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < 4; i++) next(2);
  return next;
}

function fill(text: string, code: string): string {
  return text.replaceAll('{c}', code);
}

function fillNumber(text: string, value: string): string {
  return text.replaceAll('{n}', value);
}

function p(text: string): string {
  return `<p style="font-size:16px;line-height:24px;margin:0 0 16px">${text}</p>`;
}

function large(code: string): string {
  return `<div style="font-size:32px;text-align:center">${code}</div>`;
}

function small(text: string): string {
  return `<p style="font-size:12px;color:#888">${text}</p>`;
}

function card(body: string): string {
  return (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><style>.c{color:#482913}</style></head><body>' +
    `<div style="max-width:600px;margin:0 auto;padding:24px">${body}</div></body></html>`
  );
}

function nestedTables(body: string): string {
  return (
    '<html><body style="margin:0"><table width="100%"><tbody><tr><td align="center"><table width="600">' +
    `<tbody><tr><td style="padding:10px 25px;font-family:Arial;font-size:14px">${body}</td></tr></tbody></table>` +
    '</td></tr></tbody></table><img src="https://t.brand.example/o/7739201846.gif" width="1" height="1" alt=""></body></html>'
  );
}
