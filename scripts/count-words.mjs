// Counts the words of a Markdown page, and bounds them. For scripts/check-text.mjs and scripts/measure-structure.mjs.
import { readFileSync } from 'node:fs';

/** The bound for a page in docs/ that is not made from code. */
export const mostWords = 1200;

const generated = /<!-- Generated from [\s\S]*?<!-- Generated so far\. -->/g;
const code = /^ *```[\s\S]*?^ *```$/gm;

/** Counts prose and tables, without code blocks, generated tables and the strokes of tables. @param {string} path */
export function countWords(path) {
  const text = readFileSync(path, 'utf8').replace(code, '').replace(generated, '');
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** @param {string} path Whether the page is made from code, so that its length is not a writer's choice. */
export const isGenerated = (path) =>
  ['configuration', 'errors', 'metrics', 'clients/scenarios'].some((name) => path === `docs/${name}.md`);
