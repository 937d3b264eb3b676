// Finds wording in comments, names and titles of tests that once made this code sound foreign. Used by check-text.mjs. The list is short,
// and limited to words that plain comments and names do without.

/** A comment begins with a verb or a noun phrase. */
const opening = /^(?:Of|What|Who|Whose|Whoever)\s/;
/** Code has no people, and nothing is said twice. */
const words = /\b(?:nobody|somebody|whoever|told|milliards?|manieth|good for nothing|pass here not)\b/i;
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|\{@\w+ [^}]*\}/g;

const declared = /\b(?:const|let|class|interface|type|function\*?|readonly|static)\s+#?([A-Za-z_$][\w$]*)/g;
/** Parts of names in camelCase. */
const nameParts = new Set(['told', 'heard', 'said', 'dear', 'nobody', 'somebody', 'whoever', 'milliard']);

const script = /\.(?:[cm]?[jt]sx?|go)$/;
const python = /\.py$/;
const testFile = /(?:\.test\.tsx?|^test\/contract\/.*\.ts)$/;
/** A title on the line of its call, or on the next; that of a table follows the table. */
const title =
  /(?:\b(?:it|test|describe)(?:\.\w+)*\(|^\s*\](?:\s*as const)?\)\(|^\s*[\w.]+\)\()\s*(['"`])((?:\\.|(?!\1)[^\\\n])*)\1,/gm;

/**
 * @param {string} file a path, which decides the syntax; nothing is found in other kinds of files
 * @param {string} text
 * @returns {readonly string[]} a line for each finding
 */
export function findForeignWording(file, text) {
  if (script.test(file)) {
    const titles = testFile.test(file) ? inTitles(file, text) : [];
    return [...inComments(file, readComments(text)), ...inNames(file, text), ...titles];
  }
  return python.test(file) ? inComments(file, readPythonComments(text)) : [];
}

/** @typedef {{ line: number, text: string }} Comment */

/**
 * @param {string} file
 * @param {readonly Comment[]} comments
 */
function inComments(file, comments) {
  return comments.flatMap(({ line, text }) => {
    const plain = text.replaceAll(quoted, ' ');
    const [start] = opening.exec(plain) ?? [];
    if (start !== undefined) return [`${file}:${line}: the comment begins with "${start.trim()}"`];
    const [word] = words.exec(plain) ?? [];
    return word === undefined ? [] : [`${file}:${line}: the comment has the word "${word}"`];
  });
}

/**
 * @param {string} file
 * @param {string} text
 */
function inNames(file, text) {
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    return [...line.matchAll(declared)].flatMap(([, name = '']) => {
      const part = name.match(/[a-z]+|[A-Z][a-z]*/g)?.find((each) => nameParts.has(each.toLowerCase()));
      return part === undefined ? [] : [`${file}:${at + 1}: the name "${name}" has the word "${part}"`];
    });
  });
}

/**
 * @param {string} file
 * @param {string} text
 */
function inTitles(file, text) {
  return [...text.matchAll(title)].flatMap(({ index, 2: written = '' }) => {
    const plain = written.replaceAll(quoted, ' ');
    const [start] = /^(?:of|what|who|whose|whoever)\s/i.exec(plain) ?? [];
    const [word] = words.exec(plain) ?? [];
    const found = start?.trim() ?? word;
    const line = text.slice(0, index).split('\n').length;
    return found === undefined ? [] : [`${file}:${line}: the title of a test has the word "${found}"`];
  });
}

/**
 * Returns comments that begin a line, with the lines of each joined.
 * @param {string} text
 */
function readComments(text) {
  /** @type {Comment[]} */
  const comments = [];
  const pattern = /^[^\S\n]*(?:((?:\/\/.*\n[^\S\n]*)*\/\/.*)|\/\*\*?([^]*?)\*\/)/gm;
  for (const { index, 1: lines, 2: block = '' } of text.matchAll(pattern)) {
    const body = (lines ?? block).replaceAll(/^[^\S\n]*(?:\/\/|\*)/gm, '');
    comments.push(toComment(text, index, body));
  }
  return comments;
}

/** @param {string} text */
function readPythonComments(text) {
  const pattern = /^[^\S\n]*(?:#:?(.*)|"""([^]*?)""")/gm;
  return [...text.matchAll(pattern)].map(({ index, 1: line, 2: block = '' }) =>
    toComment(text, index, line ?? block),
  );
}

/**
 * @param {string} text
 * @param {number} index
 * @param {string} body
 * @returns {Comment}
 */
function toComment(text, index, body) {
  return { line: text.slice(0, index).split('\n').length, text: body.replaceAll(/\s+/g, ' ').trim() };
}
