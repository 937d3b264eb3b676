// The action's inputs, checked.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readInput } from './runner.mjs';

/** Dialect → the variable read by its clients and frameworks, as printed by `mayfly dev`. */
const variables = /** @type {const} */ ({
  mailpit: 'MAILPIT_URL',
  mailhog: 'MAILHOG_URL',
  inbucket: 'INBUCKET_URL',
  'mail.tm': 'MAILTM_URL',
  mailosaur: 'MAILOSAUR_BASE_URL',
  'guerrilla-mail': 'GUERRILLA_URL',
});

/**
 * @typedef {object} Options
 * @property {string | undefined} version of the npm package
 * @property {string | undefined} folder of the package, instead of a version
 * @property {string} httpPort
 * @property {string} smtpPort
 * @property {readonly string[]} compatVariables exported in addition to MAYFLY_URL
 */

/**
 * @returns {Options}
 * @throws RangeError naming the invalid input
 */
export function readOptions() {
  return {
    ...readVersion(readInput('version')),
    httpPort: readPort('http-port'),
    smtpPort: readPort('smtp-port'),
    compatVariables: readCompat(readInput('compat')),
  };
}

/** @param {string} text */
function readVersion(text) {
  if (/^(\d+\.\d+\.\d+|latest)$/.test(text)) return { version: text, folder: undefined };
  const folder = path.resolve(process.env['GITHUB_WORKSPACE'] ?? '.', text);
  if (text !== '' && existsSync(path.join(folder, 'bin/mayfly.mjs'))) return { version: undefined, folder };
  throw new RangeError(
    `version: ${JSON.stringify(text)} is neither a version such as 1.2.3 nor a folder with mayfly.`,
  );
}

/** @param {string} name */
function readPort(name) {
  const text = readInput(name);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new RangeError(`${name}: ${JSON.stringify(text)} is no port from 0 to 65535.`);
}

/** @param {string} text */
function readCompat(text) {
  if (text === 'all') return Object.values(variables);
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return names.map((name) => {
    if (Object.hasOwn(variables, name)) return variables[/** @type {keyof typeof variables} */ (name)];
    throw new RangeError(
      `compat: ${JSON.stringify(name)} is none of ${Object.keys(variables).join(', ')}, all.`,
    );
  });
}
