// Checks the opening lines of files: one that is "used by" another must be imported by it. Used by check-text.mjs.

import path from 'node:path';

const source = /\.(?:tsx?|mjs)$/;
const claim =
  /\b(?:called|used|made|driven|owned|started|kept|created)(?:\s[\w-]+){0,4}?\sby\s((?:[\w/-]+(?:\.\w+)?(?:,\s|\sand\sby\s|\sand\s)?)+)/gi;
const imported = /(?:\bfrom|\bimport|\bimport\(|new URL\(|resolve\()\s*'(\.[^']+)'/g;

/**
 * @param {ReadonlyMap<string, string>} texts by path, of all files
 * @returns {readonly string[]} a line for each finding
 */
export function findFalseUsers(texts) {
  const byName = groupByName(texts);
  /** @type {string[]} */
  const findings = [];
  for (const [file, text] of texts) {
    if (!source.test(file)) continue;
    for (const name of namesIn(openingOf(text))) {
      const named = byName.get(name) ?? [];
      if (named.length === 0 || named.some((user) => uses(user, texts.get(user) ?? '', file))) continue;
      findings.push(`${file}: says that it is used by ${name}, which does not import it`);
    }
  }
  return findings;
}

/** @param {ReadonlyMap<string, string>} texts */
function groupByName(texts) {
  /** @type {Map<string, string[]>} */
  const byName = new Map();
  for (const file of texts.keys()) {
    if (!source.test(file)) continue;
    const name = stemOf(file);
    const same = byName.get(name);
    if (same) same.push(file);
    else byName.set(name, [file]);
  }
  return byName;
}

/** @param {string} opening */
function namesIn(opening) {
  return [...opening.matchAll(claim)].flatMap(([, names = '']) =>
    names
      .split(/,\s|\sand\sby\s|\sand\s/)
      .map((name) => name.trim())
      // A single word in the plural is a word.
      .filter((name) => source.test(name) || name.includes('-') || /^\w+[^\Ws]$/.test(name))
      .map(stemOf),
  );
}

/** @param {string} file */
function stemOf(file) {
  return path.basename(file).replace(source, '');
}

/** @param {string} text */
function openingOf(text) {
  const [opening = ''] = /^(?:\/\/.*\n)*/.exec(text) ?? [];
  return opening.replaceAll(/\s*\/\/ ?/g, ' ');
}

/**
 * Reports whether `user` imports `file`, or names it as a path: workers are started by theirs.
 * @param {string} user
 * @param {string} text
 * @param {string} file
 */
function uses(user, text, file) {
  const code = text.slice(/^(?:\/\/.*\n)*/.exec(text)?.[0].length ?? 0);
  const folder = path.dirname(user);
  const imports = [...code.matchAll(imported)].map(([, to = '']) => path.normalize(path.join(folder, to)));
  const stem = stemOf(file);
  return imports.includes(file) || code.includes(`${stem}.`) || code.includes(`/${stem}'`);
}
