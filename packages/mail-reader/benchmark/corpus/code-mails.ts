// Templates of mail with a one-time code. Each shows the code once or more; the rest is what surrounds codes in real
// mail: other numbers, links, footers, older mail.
import { type Block, mark } from './blocks.ts';
import { fill, footer, greeting, para, type Template } from './drafts.ts';
import { date, footerLines, type Kit, makeCode, money, otherNumber } from './kit.ts';
import { unknownWords } from './unknown-words.ts';

const value = (text: string, large = true): Block => ({ kind: 'value', text, large });

function valid(kit: Kit): string {
  return fill(kit.pick(kit.phrases.valid), { n: kit.pick(['2', '5', '10', '10', '15', '20', '30']) });
}

/** Returns the text after a code: validity and a warning, each sometimes absent. */
function after(kit: Kit): Block[] {
  const texts = [
    ...(kit.chance(0.75) ? [valid(kit)] : []),
    ...(kit.chance(0.7) ? [kit.pick(kit.phrases.ignore)] : []),
  ];
  return kit.chance(0.5) && texts.length > 0 ? [para(texts.join(' '))] : texts.map(para);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function subject(kit: Kit): string {
  const plain = kit.pick([...kit.phrases.subjects, capital(kit.pick(kit.phrases.names)), kit.brand]);
  return kit.pick([plain, plain, `[${kit.brand}] ${plain}`, `${plain} – ${kit.brand}`]);
}

/** A request to type the code, sometimes without its colon. */
function request(kit: Kit): string {
  const text = kit.pick(kit.phrases.requests);
  return kit.chance(0.3) ? text.replace(/\s?[:：]$/, '.') : text;
}

export const codeTemplates: Readonly<Record<string, Template>> = {
  'inline-first': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const sentence = fill(kit.pick(kit.phrases.inline), { c: mark(shown) });
    return {
      subject: subject(kit),
      blocks: [...greeting(kit), para(sentence), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'request-large': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [...greeting(kit), para(request(kit)), value(shown), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'label-line': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const label = para(`${capital(kit.pick(kit.phrases.names))}: ${mark(shown)}`);
    return {
      subject: subject(kit),
      blocks: [...greeting(kit), label, ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'label-above': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const name = capital(kit.pick(kit.phrases.names));
    return {
      subject: kit.pick(kit.phrases.subjects),
      blocks: [...greeting(kit), para(name), value(shown), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'code-and-label-below': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const name = kit.pick(kit.phrases.names);
    return {
      subject: subject(kit),
      blocks: [{ kind: 'figure', value: shown, label: name, above: false }, ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'code-first': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [value(shown), para(request(kit).replace(/\s?[:：]$/, '.')), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'subject-and-body': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const title = kit.pick([
      `${shown} – ${kit.pick(kit.phrases.names)}`,
      fill(kit.pick(kit.phrases.inline), { c: shown }),
      `${kit.brand}: ${shown}`,
    ]);
    return {
      subject: title,
      blocks: [...greeting(kit), para(request(kit)), value(shown), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'subject-only': (kit) => {
    const { value: expect } = makeCode(kit);
    const title = fill(kit.pick(kit.phrases.inline), { c: expect });
    return { subject: title, blocks: [...greeting(kit), ...after(kit), ...footer(kit)], expect };
  },
  preheader: (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const hidden: Block = { kind: 'hidden', text: fill(kit.pick(kit.phrases.inline), { c: shown }) };
    return {
      subject: subject(kit),
      blocks: [hidden, ...greeting(kit), para(request(kit)), value(shown), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  rows: (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const rows: [string, string][] = [
      [capital(kit.pick(kit.phrases.names)), shown],
      ['IP', `203.0.113.${kit.below(250)}`],
      [kit.brand, date(kit)],
    ];
    if (kit.chance(0.5)) rows.push([kit.phrases.orders[3] ?? '', otherNumber(kit)]);
    return {
      subject: subject(kit),
      blocks: [...greeting(kit), para(request(kit)), { kind: 'rows', rows }, ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'payment-code': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const payment = fill(kit.pick(kit.phrases.payment), { m: money(kit), e: kit.digits(4) });
    return {
      subject: subject(kit),
      blocks: [
        ...greeting(kit),
        para(payment),
        para(request(kit)),
        value(shown),
        ...after(kit),
        ...footer(kit),
      ],
      expect,
    };
  },
  'with-footer': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const sentence = fill(kit.pick(kit.phrases.inline), { c: mark(shown) });
    return {
      subject: subject(kit),
      blocks: [
        para(sentence),
        para(kit.pick(kit.phrases.ignore)),
        { kind: 'footer', lines: footerLines(kit) },
      ],
      expect,
    };
  },
  'with-link': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const button: Block = { kind: 'button', text: kit.pick(kit.phrases.buttons) };
    return {
      subject: subject(kit),
      blocks: [...greeting(kit), button, para(request(kit)), value(shown), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'long-mail': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const thanks = kit.phrases.thanks.map(para);
    return {
      subject: subject(kit),
      blocks: [
        ...greeting(kit),
        ...thanks,
        para(kit.pick(kit.phrases.ignore)),
        para(request(kit)),
        value(shown),
        ...after(kit),
        ...thanks,
        ...footer(kit),
      ],
      expect,
    };
  },
  'one-line': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [para(`[${kit.brand}] ${fill(kit.pick(kit.phrases.inline), { c: shown })} ${valid(kit)}`)],
      expect,
    };
  },
  'with-ticket': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const rows: [string, string][] = [[kit.phrases.orders[4] ?? '', otherNumber(kit)]];
    return {
      subject: `${subject(kit)} [#${otherNumber(kit)}]`,
      blocks: [
        ...greeting(kit),
        para(request(kit)),
        value(shown),
        ...after(kit),
        { kind: 'rows', rows },
        ...footer(kit),
      ],
      expect,
    };
  },
  bilingual: (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [
        para(request(kit)),
        value(shown),
        ...after(kit),
        para(`Enter this code to continue: ${shown}`),
        ...footer(kit),
      ],
      expect,
    };
  },
  'quoted-older': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const older = makeCode(kit).shown;
    const quote: Block = {
      kind: 'quote',
      head: fill(kit.pick(kit.phrases.wrote), { d: date(kit), p: kit.person }),
      lines: [fill(kit.pick(kit.phrases.inline), { c: older })],
    };
    return {
      subject: `Re: ${subject(kit)}`,
      blocks: [para(fill(kit.pick(kit.phrases.inline), { c: shown })), ...after(kit), quote],
      expect,
    };
  },
  'plain-value': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [para(request(kit)), value(shown, false), ...after(kit), ...footer(kit)],
      expect,
    };
  },
  'brand-heading': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [
        { kind: 'heading', text: kit.brand },
        para(request(kit)),
        value(shown),
        ...after(kit),
        ...footer(kit),
      ],
      expect,
    };
  },
  'subject-first': (kit) => {
    const { value: expect } = makeCode(kit);
    const title = kit.pick([
      `${expect} – ${subject(kit)}`,
      `${capital(kit.pick(kit.phrases.names))}: ${expect}`,
      `[${kit.brand}] ${expect}`,
    ]);
    return { subject: title, blocks: [...greeting(kit), ...after(kit), ...footer(kit)], expect };
  },
  'subject-sentence': (kit) => {
    const { value: expect } = makeCode(kit);
    const title = fill(kit.pick(kit.phrases.inline), { c: expect });
    return {
      subject: title,
      blocks: [
        ...greeting(kit),
        para(kit.pick([...kit.phrases.thanks, ...kit.phrases.ignore])),
        ...footer(kit),
      ],
      expect,
    };
  },
  'bare-sentence': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: kit.pick([kit.brand, kit.brand, subject(kit)]),
      blocks: [para(fill(kit.pick(kit.phrases.inline), { c: mark(shown) }))],
      expect,
    };
  },
  'below-subject': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [
        ...greeting(kit),
        value(shown, kit.chance(0.5)),
        ...(kit.chance(0.5) ? [para(kit.brand)] : []),
        ...footer(kit),
      ],
      expect,
    };
  },
  'unknown-words': (kit) => {
    const expect = kit.digits(kit.pick([6, 6, 8]));
    return {
      subject: unknownWords(kit, 3),
      blocks: [
        para(`${unknownWords(kit, 11)}${kit.pick([':', '.', ''])}`),
        value(expect),
        ...(kit.chance(0.5) ? [para(`${unknownWords(kit, 9)}.`)] : []),
      ],
      expect,
    };
  },
  'one-paragraph': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const parts = [
      ...kit.phrases.thanks,
      fill(kit.pick(kit.phrases.inline), { c: mark(shown) }),
      valid(kit),
      kit.pick(kit.phrases.ignore),
    ];
    return {
      subject: subject(kit),
      blocks: [para(parts.slice(kit.below(2)).join(' ')), ...footer(kit)],
      expect,
    };
  },
  'heading-value': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    return {
      subject: subject(kit),
      blocks: [
        { kind: 'heading', text: capital(kit.pick(kit.phrases.names)) },
        value(shown),
        para(kit.pick(kit.phrases.ignore)),
        ...footer(kit),
      ],
      expect,
    };
  },
  'request-after': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const name = kit.pick(kit.phrases.names);
    return {
      subject: subject(kit),
      blocks: [
        para(`${shown} – ${name}`),
        para(request(kit).replace(/\s?[:：]$/, '.')),
        ...after(kit),
        ...footer(kit),
      ],
      expect,
    };
  },
  'code-and-figures': (kit) => {
    const { shown, value: expect } = makeCode(kit);
    const rows: [string, string][] = [
      [kit.pick(kit.phrases.figures), otherNumber(kit)],
      [kit.phrases.orders[3] ?? '', otherNumber(kit)],
    ];
    return {
      subject: subject(kit),
      blocks: [
        ...greeting(kit),
        para(request(kit)),
        value(shown),
        ...after(kit),
        { kind: 'rows', rows },
        ...footer(kit),
      ],
      expect,
    };
  },
};
