// The packages of configuration files in the folder above: an import is resolved from the folder of the file that
// contains it.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export { defineConfig, tseslint };

/**
 * @typedef {import('eslint').Linter.RulesRecord} RulesRecord
 * @typedef {import('stylelint').Config} StylelintConfig
 */
