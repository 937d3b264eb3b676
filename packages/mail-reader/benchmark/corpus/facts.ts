// Reads the facts of the corpus: single terms and short sentences in 115 languages (facts/*.txt), written for this
// project. One block of 17 lines for each language; `|` separates alternatives.
import { readFileSync } from 'node:fs';

const fields = [
  'names',
  'inline',
  'requests',
  'valid',
  'ignore',
  'subjects',
  'orders',
  'thanks',
  'figures',
  'counts',
  'coupon',
  'pickup',
  'wrote',
  'payment',
  'footer',
  'complaint',
  'buttons',
] as const;

/** The sentences of one author in one language; `{c}` is a code, `{n}` a number, `{m}` money, `{d}` a date, `{p}` a person. */
export type Phrases = { readonly [field in (typeof fields)[number]]: readonly string[] } & {
  readonly language: string;
  readonly source: string;
  /** Lines with a number that is no code: "Employee code: {n}". */
  readonly labels: readonly string[];
  /** Sentences with an old code `{o}` and a new one; empty in most languages. */
  readonly oldAndNew: readonly string[];
  /** Names of codes of other things: "Customer code". In the language itself, or in any. */
  readonly otherCodes: readonly string[];
};

const folder = new URL('../facts/', import.meta.url);

interface Further {
  readonly others: ReadonlyMap<string, readonly string[]>;
  readonly oldAndNew: ReadonlyMap<string, readonly string[]>;
}

/** Reads a file with a language and its phrases on each line. */
function readByLanguage(name: string): Map<string, readonly string[]> {
  const lines = readFileSync(new URL(name, folder), 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [language = '', ...phrases] = line.split('|');
      return [language, phrases];
    }),
  );
}

export function readFacts(): Phrases[] {
  const further = { others: readByLanguage('other-codes.txt'), oldAndNew: readByLanguage('old-and-new.txt') };
  return ['west.txt', 'east.txt'].flatMap((name) => {
    const blocks = readFileSync(new URL(name, folder), 'utf8').trim().split(/^= /m).slice(1);
    return blocks.map((block) => toPhrases(block, further));
  });
}

function toPhrases(block: string, { others, oldAndNew }: Further): Phrases {
  const [language = '', ...lines] = block.trimEnd().split('\n');
  if (lines.length !== fields.length) throw new Error(`${language}: ${lines.length} lines`);
  const entries = fields.map((field, i) => [field, (lines[i] ?? '').split('|')] as const);
  const named = Object.fromEntries(entries) as Record<(typeof fields)[number], string[]>;
  const labels = named.orders.slice(0, 5).map((name) => `${name}: {n}`);
  return {
    language,
    source: 'facts',
    ...named,
    labels,
    otherCodes: [...(others.get(language) ?? []), ...[...others.values()].flat()],
    oldAndNew: oldAndNew.get(language) ?? [],
  };
}

/** A second author's phrases in 42 languages; what they lack is taken from the facts. */
export function readOtherPhrases(facts: readonly Phrases[], set: 'dev' | 'blind'): Phrases[] {
  const file = new URL(`../../test/fixtures/codes-world/${set}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const other = JSON.parse(line) as Record<'l' | 's' | 'v' | 'o' | 'k' | 'n' | 'ad', string> &
      Record<'a' | 'i' | 'b' | 'ol', string[]>;
    const own = facts.find(({ language }) => language === other.l);
    if (!own) return [];
    return {
      ...own,
      source: `world-${set}`,
      inline: other.i,
      requests: other.a,
      valid: [other.v],
      ignore: [other.v],
      subjects: [other.s],
      thanks: [other.o],
      counts: [other.n],
      coupon: [other.k],
      buttons: other.b,
      labels: other.ol.filter((label) => label.includes('{n}')),
    };
  });
}
