// `npm run structure`: prints the size of the source and of its files, without tests, and how many files a message or a
// change touches. With --small or --executed it lists those files; with --changes it makes a change of each kind in a
// copy and counts what that takes, in about two minutes. It fails when a document names a file that is not there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { countWords, isGenerated, mostWords } from './count-words.mjs';
import { findExecutedFiles } from './executed-files.mjs';

const smallLines = 30;
/** @param {string} path */
const isSource = (path) => /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path);
/** @param {...string} folders */
const list = (...folders) =>
  execFileSync('git', ['ls-files', ...folders], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
/** @param {string} path */
const countLines = (path) => readFileSync(path, 'utf8').split('\n').length - 1;
/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const service = list('src').filter(isSource);
const reader = list('packages/mail-reader/src').filter(isSource);
/** The other packages of the service, which `src` imports by `#name/*`. */
const own = list('packages').filter(
  (path) => /^packages\/(?!mail-reader\/)[^/]+\/src\//.test(path) && isSource(path),
);
const files = [...service, ...own, ...reader].map((path) => ({ path, lines: countLines(path) }));
const sorted = files.map(({ lines }) => lines).sort((a, b) => a - b);
/** @param {number} part From 0 to 1. */
const quantile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** `#name/entry` → the entry's file. @param {string} specifier */
function toPackageFile(specifier) {
  return specifier.replace(/^#([\w-]+)\/(.+)$/, 'packages/$1/src/$2.ts');
}

/** @type {Map<string, Set<string>>} */
const importers = new Map();
for (const { path } of files) {
  const text = readFileSync(path, 'utf8');
  for (const [, to = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'((?:\.{1,2}|#[\w-]+)\/[^']+)'/g)) {
    const target = to.startsWith('#') ? toPackageFile(to) : normalize(join(dirname(path), to));
    importers.set(target, (importers.get(target) ?? new Set()).add(path));
  }
}
const small = files.filter(({ path, lines }) => lines <= smallLines && importers.get(path)?.size === 1);
const docs = list('docs').filter((path) => path.endsWith('.md'));
const written = docs.filter((path) => !isGenerated(path));

/**
 * Returns the part of a page below a heading.
 * @param {string} page
 * @param {string} heading
 */
function readSection(page, heading) {
  const [, section] = readFileSync(page, 'utf8').split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${page} has no section "${heading}".`);
  return section.split('\n## ')[0] ?? '';
}

/** The file that the table of the path in names: of `src`, or of a package. @param {string} name */
function findNamed(name) {
  const [first = '', ...rest] = name.split('/');
  return existsSync(`packages/${first}`) ? `packages/${first}/src/${rest.join('/')}.ts` : `src/${name}.ts`;
}

const pathIn = [...readSection('docs/ARCHITECTURE.md', 'The path in').matchAll(/^\| `([^`]+)`/gm)].map(
  ([, name = '']) => findNamed(name),
);
const absent = pathIn.filter((file) => !service.includes(file) && !own.includes(file));
if (absent.length > 0) throw new Error(`docs/ARCHITECTURE.md names ${absent.join(', ')}.`);

/** A delivery itself, not what keeps, filters or configures deliveries. */
const deliveryType =
  /^(?:export )?(?:interface|type) (Delivery(?!(?:\w*(?:Deps|Filter|Options|Settings)|Log)\b)\w*)/gm;
/** @param {(path: string) => boolean} isIncluded */
const listDeliveryTypes = (isIncluded) =>
  service
    .filter(isIncluded)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(deliveryType)].map(([, name = '']) => name));
const engines = ['sqlite', 'postgres'].map((engine) =>
  listDeliveryTypes((file) => file.startsWith(`src/store/${engine}/`)),
);
const commonTypes = listDeliveryTypes((file) => !/^src\/store\/(?:sqlite|postgres)\//.test(file));

const executed = await findExecutedFiles();

function largestFolder() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const folder of list('src', 'web/src').map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const [[folder, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return `${folder}: ${count}`;
}

/** Each with the bound that it is held to, if any. @type {(readonly [string, string | number, string?])[]} */
const rows = [
  ['source lines of src, without the reader', sum(service.map(countLines))],
  ...[...new Set(own.map((path) => path.split('/')[1] ?? ''))].map(
    (name) =>
      /** @type {const} */ ([
        `source lines of packages/${name}`,
        sum(own.filter((path) => path.startsWith(`packages/${name}/`)).map(countLines)),
      ]),
  ),
  ['source lines of the reader', sum(reader.map(countLines))],
  ['files', files.length],
  [
    'median / p90 / max lines of a file',
    [0.5, 0.9, 1].map(quantile).join(' / '),
    '70 to 110 / ≤ 220 / ≤ 400',
  ],
  [`files with one importer and at most ${smallLines} lines`, small.length, '≤ 30'],
  ['largest folder of src and web/src, tests included', largestFolder(), '≤ 36 files'],
  ['files that run for one message, beyond idle work', executed.files.length, '≤ 50'],
  ['functions that run for it', executed.functions],
  [
    'types of a delivery, with one engine',
    commonTypes.length + Math.max(...engines.map(({ length }) => length)),
    '≤ 4',
  ],
  ['words in docs', sum(written.map(countWords))],
  ['words in generated pages of docs', sum(docs.filter(isGenerated).map(countWords))],
  ['words of its longest page', Math.max(...written.map(countWords)), `≤ ${mostWords.toLocaleString('en')}`],
];
console.log('| | now | bound |\n|---|---|---|');
for (const [name, value, bound = ''] of rows) console.log(`| ${name} | ${value} | ${bound} |`);
if (process.argv.includes('--changes')) {
  const { countChanges } = await import('./count-changes.mjs');
  console.log('\n| a new … takes | files | bound | tests | generated |\n|---|---|---|---|---|');
  for (const { name, bound, files: count, tests, generated } of countChanges()) {
    console.log(`| ${name} | ${count} | ${bound} | ${tests} | ${generated} |`);
  }
}
if (process.argv.includes('--small')) for (const { path, lines } of small) console.log(`${lines}\t${path}`);
if (process.argv.includes('--executed')) console.log(executed.files.join('\n'));
