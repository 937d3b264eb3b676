// Transpiles one TypeScript file to JavaScript, without checking types; called by scripts/build.mjs. The sources only
// use syntax that can be erased file by file (enforced in tsconfig.json), which takes a fraction of a second for all of
// them where a full compilation takes many.
import { stripVTControlCharacters } from 'node:util';

import { transformSync } from 'rolldown/utils';

/**
 * @param {string} file its path, for messages
 * @param {string} source
 * @returns {string}
 * @throws Error with file, line and reason when the file is not TypeScript
 */
export function transpile(file, source) {
  const { code, errors } = transformSync(file, source, {
    lang: 'ts',
    sourceType: 'module',
    target: 'es2023',
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
    tsconfig: false,
  });
  const [first] = errors;
  if (first) throw new Error(stripVTControlCharacters(first.message));
  return code;
}
