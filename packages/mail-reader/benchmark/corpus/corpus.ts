// Makes the corpus: mails in 115 languages, more than half of them without a code, split by template and by source. The
// same sources always give the same mails, byte for byte.
import { readdirSync, readFileSync } from 'node:fs';
import { type CodeSample, readCodeSamples } from '../../test/support/code-samples.ts';
import { makeFigureMails } from '../../test/support/figure-mails.ts';
import { type LabelledMail, readLabelledMails } from '../../test/support/score-mails.ts';
import { makeWorldMails } from '../../test/support/world-mails.ts';
import { parseMailboxes } from '../../src/header/header-address.ts';
import { assembledCodeTemplates, assembledOtherTemplates } from './assembled-mails.ts';
import { type Block, toHtml, toText } from './blocks.ts';
import { codeTemplates } from './code-mails.ts';
import { crowdedCodeTemplates } from './crowded-code-mails.ts';
import { hardTemplates } from './codeless-mails.ts';
import type { Draft, Template } from './drafts.ts';
import { type Phrases, readFacts, readOtherPhrases } from './facts.ts';
import { embroider } from './embroider.ts';
import { figureTemplates } from './figure-mails.ts';
import { ordinaryTemplates, pickupTemplates } from './ordinary-mails.ts';
import { createKit, date, type Kit, mixed, money } from './kit.ts';

export type Split = 'train' | 'test';

export interface Mail {
  readonly id: string;
  readonly language: string;
  readonly template: string;
  readonly kind: 'code' | 'ordinary' | 'hard';
  readonly source: string;
  readonly split: Split;
  readonly subject: string;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly text: string;
  readonly html: string | null;
  readonly expect: string | null;
  /** Values that are right too: other spellings, and codes that need not be shown. */
  readonly also: readonly string[];
  /** Whether showing nothing is right too: codes that open a parcel locker. */
  readonly mayBeSilent: boolean;
  /** Written in the style of a real service, not made by the generator. */
  readonly isSample: boolean;
}

/** Languages of which no mail is in `train`. */
export const unseenLanguages = new Set(
  'fi et ca ro vi he ka sq sw te my cy uz mk gl km zu is ne am'.split(' '),
);
const rounds = 3;
const trainRounds = 6;
const trapRounds = 6;

interface NamedTemplate {
  readonly name: string;
  readonly kind: Mail['kind'];
  readonly make: Template;
}

const templates = [
  ...named('code', codeTemplates, crowdedCodeTemplates, pickupTemplates),
  ...named('ordinary', ordinaryTemplates),
  ...named('hard', hardTemplates, figureTemplates),
];

/** The mails of these templates are in `train` alone. */
const trainTemplates = [...named('code', assembledCodeTemplates), ...named('hard', assembledOtherTemplates)];

/** Templates of which no mail is in `train`: every fifth, so that they are neither easier nor harder than the others. */
const unseenTemplates = new Set(templates.filter((_, i) => i % 5 === 3).map(({ name }) => name));

/** Labelled samples in the style of real services, written by several people; those of split "held" are never trained on. */
const sampleFolders = {
  codes: new URL('../../test/fixtures/codes/', import.meta.url),
  blind: new URL('../../test/fixtures/codes-blind/', import.meta.url),
};

/** Reports whether a value is the code, or one that may be shown. */
export function isRight({ expect, also }: Mail, value: string): boolean {
  return value === expect || also.includes(value);
}

export function makeCorpus(): Mail[] {
  const facts = readFacts();
  const authors = [...facts, ...readOtherPhrases(facts, 'dev'), ...readOtherPhrases(facts, 'blind')];
  const mails = authors.flatMap((phrases, i) => mailsOf(phrases, i));
  const english = facts.find(({ language }) => language === 'en');
  return [
    ...mails,
    ...(english ? makeEnglishTraps(english) : []),
    ...readSamples(),
    ...readWorldMails(),
    ...readFresh(),
  ];
}

function named(kind: Mail['kind'], ...lists: readonly Readonly<Record<string, Template>>[]): NamedTemplate[] {
  return lists.flatMap((list) => Object.entries(list).map(([name, make]) => ({ name, kind, make })));
}

function mailsOf(phrases: Phrases, author: number): Mail[] {
  const made = [...templates, ...(splitOf(phrases) === 'train' ? trainTemplates : [])];
  return made.flatMap(({ name, kind, make }, t) => {
    const count = phrases.source !== 'facts' ? 1 : t < templates.length ? rounds : trainRounds;
    return Array.from({ length: count }, (_, round) => {
      const kit = createKit(phrases, author * 100_003 + t * 1009 + round * 17);
      const split = splitOf(phrases, name);
      return toMail({
        kit,
        draft: embroider(make(kit), kit),
        kind,
        template: name,
        split,
        id: `${phrases.language}-${author}-${name}-${round}`,
      });
    });
  });
}

function splitOf({ language, source }: Phrases, template = ''): Split {
  if (source === 'world-blind' || unseenLanguages.has(language) || unseenTemplates.has(template)) {
    return 'test';
  }
  return 'train';
}

interface Made {
  readonly kit: Kit;
  readonly draft: Draft;
  readonly kind: Mail['kind'];
  readonly template: string;
  readonly split: Split;
  readonly id: string;
}

function toMail({ kit, draft, kind, template, split, id }: Made): Mail {
  const { subject, blocks, expect, also } = draft;
  const form = template === 'preheader' ? 60 : kit.below(100);
  const text = form < 35 || form >= 80 ? toText(blocks, kit) : form >= 70 ? thinText(blocks) : '';
  return {
    id,
    language: kit.phrases.language,
    template,
    kind,
    source: kit.phrases.source,
    split,
    subject,
    senderName: kit.brand,
    senderEmail: `no-reply@${kit.brand.toLowerCase().replace(/\W/g, '')}.example`,
    text,
    html: form < 35 ? null : toHtml(blocks, kit),
    expect,
    also: [],
    mayBeSilent: also !== undefined,
    isSample: false,
  };
}

function thinText(blocks: readonly Block[]): string {
  const first = blocks.find((block) => block.kind === 'para');
  return first && !/\d{4}/.test(first.text) ? `${first.text.replaceAll(/[\u0001\u0002]/g, '')}\n` : '';
}

/** English mail about codes, orders, figures: each line of english-traps.txt is a subject and paragraphs. */
function makeEnglishTraps(phrases: Phrases): Mail[] {
  const lines = readFileSync(new URL('../facts/english-traps.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line, i) =>
    Array.from({ length: trapRounds }, (_, round) => {
      const kit = createKit(phrases, 7_000_003 + i * 101 + round);
      const [subject = '', ...rest] = line.split('|').map((part) => fillTrap(part, kit));
      const isSpaced = kit.chance(0.5);
      const blocks = rest.map((text, k): Block => {
        const isNumber = /^[\d ]+$|^[A-Z\d-]{6,}$/.test(text);
        return isNumber && isSpaced
          ? { kind: 'figure', value: text, label: rest[k + 1] ?? '', above: false }
          : { kind: 'para', text };
      });
      const split = i % 5 === 3 ? 'test' : 'train';
      const template = `english-trap-${i}`;
      return toMail({
        kit,
        draft: { subject, blocks, expect: null },
        kind: 'hard',
        template,
        split,
        id: `${template}-${round}`,
      });
    }),
  );
}

function fillTrap(text: string, kit: Kit): string {
  return text.replace(/\{(\w)\}/g, (whole, key: string) => {
    if (/\d/.test(key)) return kit.digits(Number(key));
    if (key === 'a') return mixed(kit.signs, 6);
    if (key === 'K') return mixed(kit.signs, 5);
    if (key === 'k') return kit.pick(['WELCOME20', 'SAVE15', mixed(kit.signs, 8)]);
    if (key === 'm') return money(kit);
    if (key === 'd') return date(kit);
    if (key === 'b') return kit.brand;
    return key === 'p' ? kit.person : whole;
  });
}

function readSamples(): Mail[] {
  return Object.entries(sampleFolders).flatMap(([name, folder]) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.jsonl'))
      .sort()
      .flatMap((file) =>
        readCodeSamples(new URL(file, folder)).map((sample) => fromSample(sample, `${name}-${file}`)),
      ),
  );
}

/** Every layout of test/support/world-mails with the first set of phrases; the second is for `test`. */
function readWorldMails(): Mail[] {
  return (['dev', 'blind'] as const).flatMap((set) =>
    makeWorldMails(set).map((mail) => fromSample(mail, `world-layouts-${set}`)),
  );
}

/**
 * Mail written later than the rules, for `train`; mail about codes, for `test`; numbers that are no codes, in `test` for
 * every second language.
 */
function readFresh(): Mail[] {
  const folder = new URL('../../test/fixtures/codes-fresh/', import.meta.url);
  const fresh = readLabelledMails(new URL('dev.jsonl', folder));
  const aboutCodes = readLabelledMails(new URL('no-code.jsonl', folder));
  const figures = makeFigureMails();
  const languages = [...new Set(figures.map(({ lang }) => lang))];
  return [
    ...fresh.map((mail): Mail => ({ ...fromLabelled(mail, 'fresh'), isSample: true })),
    ...aboutCodes.map((mail): Mail => ({
      ...fromLabelled(mail, 'about-codes'),
      kind: 'hard',
      split: 'test',
    })),
    ...figures.map((mail): Mail => {
      const isTest = languages.indexOf(mail.lang) % 2 === 1;
      const template = `figures-${mail.id.split('-')[1] ?? ''}`;
      return { ...fromLabelled(mail, 'figures'), template, kind: 'hard', split: isTest ? 'test' : 'train' };
    }),
  ];
}

function fromLabelled(mail: LabelledMail, source: string): Mail {
  const { id, lang, subject, text, html, expected_code: expect, also } = mail;
  const [sender] = parseMailboxes(mail.from, 1);
  return {
    id: `${source}-${id}`,
    language: lang,
    template: `${source}-${id}`,
    kind: expect === null ? 'ordinary' : 'code',
    source,
    split: 'train',
    subject,
    senderName: sender?.name ?? '',
    senderEmail: sender?.email ?? '',
    text: text ?? '',
    html,
    expect,
    also,
    mayBeSilent: expect === null && also.length > 0,
    isSample: false,
  };
}

function fromSample(sample: CodeSample, source: string): Mail {
  const { id, template, split, subject, senderName, senderEmail, text, html, expect } = sample;
  return {
    id: `${source}-${id}`,
    language: id.slice(0, 2),
    template,
    kind: expect === null ? 'ordinary' : 'code',
    source,
    split: split === 'held' ? 'test' : 'train',
    subject,
    senderName,
    senderEmail,
    text,
    html,
    expect,
    also: [],
    mayBeSilent: false,
    isSample: true,
  };
}
