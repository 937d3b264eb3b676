// Hashes what the table of trees is made from, without the rules and their words: the corpus, the features, the training.
// The table says in its second line which hash it was made with.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const folders = [
  'benchmark/corpus/',
  'benchmark/facts/',
  'src/extract/model/',
  'test/fixtures/codes/',
  'test/fixtures/codes-blind/',
  'test/fixtures/codes-world/',
];
const files = ['train/train.py', 'train/requirements.txt', 'test/support/world-mails.ts'];
const generated = 'tree-table.ts';

/** @returns {string} in hexadecimal */
export function hashInputs() {
  const hash = createHash('sha256');
  for (const path of listInputs()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(new URL(path, root)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listInputs() {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name !== generated && !name.includes('.test.'))
      .map((name) => folder + name),
  );
  return [...inFolders, ...files].sort();
}
