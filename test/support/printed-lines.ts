// Extracts the lines that a documentation page prints for people to run, so that tests run exactly these.

import { readFileSync } from 'node:fs';

/**
 * Returns the code of the `nth` block in this language (such as `js`, `python` or `sh`), counted from 0, of a page of
 * docs/. Each key of `replaced` must occur in it and is replaced everywhere: the parts that readers fill in
 * themselves.
 * @throws Error when there is no such block, or nothing to replace
 */
export function printedLines(
  page: string,
  { language, nth = 0 }: { readonly language: string; readonly nth?: number },
  replaced: Readonly<Record<string, string>> = {},
): string {
  const document = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const [, , code] = blocks.filter(([, name]) => name === language)[nth] ?? [];
  if (code === undefined) throw new Error(`docs/${page} has no block ${nth} of ${language}.`);
  return Object.entries(replaced).reduce((text, [printed, meant]) => {
    if (!text.includes(printed)) throw new Error(`The block of docs/${page} does not have ${printed}.`);
    return text.replaceAll(printed, meant);
  }, code);
}
