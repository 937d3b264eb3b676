// Hashes what the table of trees is made from, without the rules and their words: the corpus, the features, the training.
// The table says in its second line which hash it was made with. Comments may change without a new table.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const folders = [
  'benchmark/corpus/',
  'benchmark/facts/',
  'src/extract/model/',
  'test/fixtures/codes/',
  'test/fixtures/codes-blind/',
  'test/fixtures/codes-fresh/',
  'test/fixtures/codes-world/',
];
const files = [
  'train/dump-examples.ts',
  'train/train.py',
  'train/requirements.txt',
  'test/support/figure-mails.ts',
  'test/support/world-mails.ts',
];
const generated = 'tree-table.ts';
/** A line of code that is only a comment: in TypeScript, or in Python. */
const comment = /^\s*(?:\/\/|\/\*|\*|#).*\n/gm;

/** @returns {string} in hexadecimal */
export function hashInputs() {
  const hash = createHash('sha256');
  for (const path of listInputs()) {
    hash.update(`${path}\0`).update(read(path)).update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} path */
function read(path) {
  const text = readFileSync(new URL(path, root), 'utf8');
  return /\.(?:ts|py)$/.test(path) ? text.replaceAll(comment, '') : text;
}

function listInputs() {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name !== generated && !name.includes('.test.'))
      .map((name) => folder + name),
  );
  return [...inFolders, ...files].sort();
}
