// Transpiles one TypeScript file to JavaScript, without checking types; called by scripts/build.mjs. The sources only
// use syntax that can be erased file by file (enforced in tsconfig.json), which takes a fraction of a second for all of
// them where a full compilation takes many.
import { stripVTControlCharacters } from 'node:util';

import { transformSync } from 'rolldown/utils';

/** @satisfies {import('rolldown/utils').TransformOptions} */
const options = {
  lang: 'ts',
  sourceType: 'module',
  target: 'es2023',
  typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: 'rewrite' },
  tsconfig: false,
};

/**
 * @param {string} file its path, for messages
 * @param {string} source
 * @returns {string}
 * @throws Error with file, line and reason when the file is not TypeScript
 */
export function transpile(file, source) {
  return run(file, source, options).code;
}

/**
 * Returns the declarations of a file whose exports all have explicit types (`isolatedDeclarations` in tsconfig.json).
 * @param {string} file its path, for messages
 * @param {string} source
 * @returns {string}
 * @throws Error with file, line and reason when a type is missing
 */
export function declare(file, source) {
  const typescript = { ...options.typescript, declaration: {} };
  const { declaration = '' } = run(file, source, { ...options, typescript });
  // Programs that read declarations look for the published files.
  return declaration.replaceAll(/((?:from|import\() ?['"]\.\/[^'"]+)\.ts(['"])/g, '$1.js$2');
}

/**
 * @param {string} file
 * @param {string} source
 * @param {import('rolldown/utils').TransformOptions} how
 */
function run(file, source, how) {
  const result = transformSync(file, source, how);
  const [first] = result.errors;
  if (first) throw new Error(stripVTControlCharacters(first.message));
  const [helper] = Object.keys(result.helpersUsed);
  if (helper) {
    throw new Error(`${file} needs the helper ${helper}, which is not in a build: write it in other syntax.`);
  }
  return result;
}
