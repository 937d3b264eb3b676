// The results of the benchmark as counts, which results.json holds, and as the tables of docs/reading-codes.md.

export interface CorpusPart {
  readonly split: string;
  readonly mails: number;
  readonly languages: number;
  readonly templates: number;
  /** Mails without a code, and those of them that are written as traps. */
  readonly codeless: number;
  readonly hard: number;
}

export interface Score {
  readonly mails: number;
  readonly codes: number;
  readonly codeless: number;
  readonly shown: number;
  readonly right: number;
  /** Mails without a code that show one. */
  readonly alarms: number;
}

/** Values with a confidence in one tenth, from `tenth` / 10 on. */
export interface Tenth {
  readonly tenth: number;
  readonly values: number;
  /** The sum of their confidences in hundredths. */
  readonly hundredths: number;
  readonly right: number;
}

export interface Results {
  readonly corpus: readonly CorpusPart[];
  readonly scores: readonly (Score & { readonly group: string; readonly finder: string })[];
  readonly tenths: readonly Tenth[];
}

function tabulateCorpus({ corpus }: Results): string[][] {
  return [
    ['split', 'mails', 'languages', 'templates', 'without a code', 'of those hard'],
    ...corpus.map(({ split, mails, languages, templates, codeless, hard }) => [
      split,
      String(mails),
      String(languages),
      String(templates),
      percent(codeless / mails, 0),
      percent(hard / codeless, 0),
    ]),
  ];
}

function tabulateScores({ scores }: Results): string[][] {
  return [
    ['mails', 'finder', 'precision', 'recall', 'shown without a code'],
    ...scores.map(({ group, finder, mails, codes, codeless, shown, right, alarms }) => [
      `${group} (${mails})`,
      finder,
      share(right / shown, 3),
      share(right / codes, 3),
      percent(alarms / codeless, 1),
    ]),
  ];
}

function tabulateTenths({ tenths }: Results): string[][] {
  return [
    ['confidence', 'values', 'mean', 'right'],
    ...tenths.map(({ tenth, values, hundredths, right }) => [
      `${share(tenth / 10, 1)}–${share((tenth + 1) / 10, 1)}`,
      String(values),
      share(hundredths / values / 100, 2),
      share(right / values, 2),
    ]),
  ];
}

/** Returns the tables of the corpus, the finders and the confidences in Markdown, an empty line between them. */
export function printTables(results: Results): string {
  return [tabulateCorpus(results), tabulateScores(results), tabulateTenths(results)]
    .map(toMarkdown)
    .join('\n\n');
}

/** Returns docs/reading-codes.md with these results: its sentence about the corpus, its rows of finders, its confidences. */
export function updatePage(page: string, results: Results): string {
  const [head = [], ...scores] = tabulateScores(results);
  const rows = new Map(scores.map((row) => [rowKey(row), row]));
  const shown = readTable(page, head).map((row) => rows.get(rowKey(row)) ?? row);
  const tenths = tabulateTenths(results);
  return replaceTable(replaceTable(page, [head, ...shown]), tenths).replace(
    /Of [\d,]+ mails in \d+ languages, \d+ % have no code, and \d+ % of those are hard; [\d,]+ are in the split below\./,
    describeCorpus(results),
  );
}

function describeCorpus({ corpus }: Results): string {
  const all = corpus.find(({ split }) => split === 'all');
  const unseen = corpus.find(({ split }) => split === 'test');
  if (!all || !unseen) throw new Error('results without a split');
  const count = (of: number): string => of.toLocaleString('en');
  return (
    `Of ${count(all.mails)} mails in ${all.languages} languages, ${percent(all.codeless / all.mails, 0)} have no code, ` +
    `and ${percent(all.hard / all.codeless, 0)} of those are hard; ${count(unseen.mails)} are in the split below.`
  );
}

/** The group of mails without their number, and the finder. */
function rowKey([group = '', finder = '']: readonly string[]): string {
  return `${group.replace(/ \(\d+\)$/, '')} ${finder}`;
}

function tablePattern(head: readonly string[]): RegExp {
  return new RegExp(`^\\|\\s*${head.join('\\s*\\|\\s*')}\\s*\\|\\n(?:\\|.*\\n)+`, 'm');
}

function readTable(page: string, head: readonly string[]): string[][] {
  const [table = ''] = tablePattern(head).exec(page) ?? [];
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return table.trim().split('\n').slice(2).map(cells);
}

function replaceTable(page: string, rows: readonly string[][]): string {
  return page.replace(tablePattern(rows[0] ?? []), () => `${toMarkdown(rows)}\n`);
}

/** A table of Markdown, as `npm run format` leaves it. */
function toMarkdown([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function share(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(digits);
}

function percent(value: number, digits: number): string {
  return Number.isNaN(value) ? '–' : `${(100 * value).toFixed(digits)} %`;
}
