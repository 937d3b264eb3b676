// Writes the clients' types from the named schemas of the interface's document. Called by docs.mjs, which refuses
// clients that are out of date.

const timestampPattern = '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$';

/** The schemas with types in the clients, in the order written. */
const modelNames = [
  ...['Mailbox', 'HeaderField', 'Attachment', 'Code', 'MessageLink', 'Unsubscribe', 'Envelope'],
  ...['Authentication', 'MessageSummary', 'Message', 'Delivery', 'RefusedRecipient', 'OtherMail', 'Domain'],
  ...['Finding', 'MailClient', 'MailReport'],
];
/** The page has no use for them. */
const notShown = ['RefusedRecipient', 'OtherMail', 'Finding', 'MailClient', 'MailReport'];

/**
 * A schema, as packages/http-parts/src/json-schema.ts builds it.
 * @typedef {object} Schema
 * @property {string} [type]
 * @property {string} [description]
 * @property {string} [pattern]
 * @property {readonly string[]} [enum]
 * @property {string} [const]
 * @property {Schema} [items]
 * @property {readonly Schema[]} [anyOf]
 * @property {Readonly<Record<string, Schema>>} [properties]
 * @property {readonly string[]} [required]
 */

/**
 * @typedef {object} Field
 * @property {string} name as in JSON
 * @property {string} description
 * @property {FieldType} type
 * @property {boolean} isOptional
 */

/**
 * @typedef {{ kind: 'text' | 'integer' | 'number' | 'flag' | 'timestamp' | 'json' }
 *   | { kind: 'words', words: readonly string[] }
 *   | { kind: 'model', model: string }
 *   | { kind: 'list', of: FieldType }
 *   | { kind: 'nullable', of: FieldType }
 *   | { kind: 'object', fields: readonly Field[] }} FieldType
 */

/** @typedef {{ name: string, description: string, fields: readonly Field[] }} Model */

/**
 * @param {Readonly<Record<string, Schema>>} schemas by name
 * @returns {readonly Model[]}
 */
export function readModels(schemas) {
  return toModels(schemas, { modelNames, hasObjects: false });
}

/** The operations whose answers the page reads. */
const pageOperations = ['createSession', 'listDomains', 'checkMail', 'showSession'];

/**
 * Reads the types of the page: those of the clients, and the whole answers of the operations that it calls, named like
 * these.
 * @param {Readonly<Record<string, Schema>>} schemas by name
 * @param {readonly { name: string, answers: Schema }[]} operations
 * @returns {readonly Model[]}
 */
export function readPageModels(schemas, operations) {
  const answers = pageOperations.map((name) => {
    const { answers } = operations.find((operation) => operation.name === name) ?? fail(name);
    return /** @type {const} */ ([`${name.charAt(0).toUpperCase()}${name.slice(1)}`, answers]);
  });
  const all = { ...schemas, ...Object.fromEntries(answers) };
  const shown = modelNames.filter((name) => !notShown.includes(name));
  const names = ['GmailAccount', 'AuthenticationDetails', ...shown, ...answers.map(([name]) => name)];
  return toModels(all, { modelNames: names, hasObjects: true });
}

/**
 * @typedef {{ readonly modelNames: readonly string[], readonly hasObjects: boolean }} Reading `hasObjects`: whether the
 * types of unnamed objects are written out
 */

/**
 * @param {Readonly<Record<string, Schema>>} schemas
 * @param {Reading} reading
 * @returns {readonly Model[]}
 */
function toModels(schemas, reading) {
  const nameOf = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  return reading.modelNames.map((name) => {
    const schema = schemas[name] ?? fail(name);
    return { name, description: schema.description ?? '', fields: toFields(schema, nameOf, reading) };
  });
}

/**
 * @param {Schema} schema
 * @param {ReadonlyMap<Schema, string>} nameOf
 * @param {Reading} reading
 * @returns {readonly Field[]}
 */
function toFields({ properties = {}, required = [] }, nameOf, reading) {
  return Object.entries(properties).map(([field, schema]) => ({
    name: field,
    description: schema.description ?? schema.anyOf?.[0]?.description ?? '',
    type: toType(schema, nameOf, reading),
    isOptional: !required.includes(field),
  }));
}

/**
 * @param {Schema} schema
 * @param {ReadonlyMap<Schema, string>} nameOf
 * @param {Reading} reading
 * @returns {FieldType}
 */
function toType(schema, nameOf, reading) {
  const model = nameOf.get(schema);
  if (model !== undefined) {
    return reading.modelNames.includes(model) ? { kind: 'model', model } : { kind: 'json' };
  }
  if (schema.anyOf) {
    const [of = fail('an empty union')] = schema.anyOf;
    return { kind: 'nullable', of: toType(of, nameOf, reading) };
  }
  if (schema.enum) return { kind: 'words', words: schema.enum };
  if (schema.type === 'array') return { kind: 'list', of: toType(schema.items ?? {}, nameOf, reading) };
  if (schema.type === 'object' && reading.hasObjects) {
    return { kind: 'object', fields: toFields(schema, nameOf, reading) };
  }
  if (schema.type === 'string') return { kind: schema.pattern === timestampPattern ? 'timestamp' : 'text' };
  if (schema.type === 'boolean') return { kind: 'flag' };
  if (schema.type === 'integer' || schema.type === 'number') return { kind: schema.type };
  return { kind: 'json' };
}

/**
 * @param {string} what
 * @returns {never}
 */
function fail(what) {
  throw new Error(`The document has no schema ${what}.`);
}

/** @param {string} name */
function toCamelCase(name) {
  return name.replace(/_([a-z0-9])/g, (_match, letter) => letter.toUpperCase());
}

/** How a program in TypeScript sees the fields. */
const ofClient = { toName: toCamelCase, timestamp: 'Date' };
/** As in JSON. */
const ofPage = { toName: (/** @type {string} */ name) => name, timestamp: 'Timestamp' };

/**
 * @param {readonly Model[]} models
 * @param {typeof ofClient} style
 */
function writeInterfaces(models, style) {
  return models.map(({ name, description, fields }) =>
    [
      ...comment(description, ''),
      `export interface ${name} {`,
      ...fields.flatMap((field) => [
        ...comment(field.description, '  '),
        `  readonly ${style.toName(field.name)}${field.isOptional ? '?' : ''}: ${typeScriptType(field.type, style)};`,
      ]),
      '}',
      '',
    ].join('\n'),
  );
}

/** @param {readonly Model[]} models */
export function writePageModels(models) {
  return [
    '// Generated by `npm run docs` from the interface’s document; edit that.',
    '',
    '/** UTC, `YYYY-MM-DD HH:MM:SS`. */',
    'export type Timestamp = string;',
    '',
    ...writeInterfaces(models, ofPage),
  ].join('\n');
}

/** @param {readonly Model[]} models */
export function writeTypeScriptModels(models) {
  const blocks = writeInterfaces(models, ofClient);
  const timestamps = models.flatMap(({ fields }) =>
    fields.filter(({ type }) => isTimestamp(type)).map(({ name }) => name),
  );
  const names = [...new Set(timestamps)].sort().map((name) => `'${name}'`);
  return [
    '// Generated by `npm run docs` from the interface’s document; edit that.',
    '',
    ...blocks,
    '/** Fields of JSON whose text is an instant. */',
    `export const timestampNames: ReadonlySet<string> = new Set([${names.join(', ')}]);`,
    '',
  ].join('\n');
}

/** @param {FieldType} type */
function isTimestamp(type) {
  return type.kind === 'timestamp' || (type.kind === 'nullable' && type.of.kind === 'timestamp');
}

/**
 * @param {string} text
 * @param {number} width
 */
export function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/**
 * @param {string} description
 * @param {string} indent
 */
function comment(description, indent) {
  if (description === '') return [];
  const lines = wrap(description, 97 - indent.length);
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`];
}

/**
 * @param {FieldType} type
 * @param {typeof ofClient} style
 * @param {string} [indent] of the line that it is written on
 * @returns {string}
 */
function typeScriptType(type, style, indent = '  ') {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'timestamp':
      return style.timestamp;
    case 'words':
      return type.words.map((word) => `'${word}'`).join(' | ');
    case 'model':
      return type.model;
    case 'list':
      return type.of.kind === 'words' || type.of.kind === 'nullable'
        ? `readonly (${typeScriptType(type.of, style, indent)})[]`
        : `readonly ${typeScriptType(type.of, style, indent)}[]`;
    case 'nullable':
      if (type.of.kind === 'json') return 'unknown';
      return `${typeScriptType(type.of, style, indent)} | null`;
    case 'object': {
      const fields = type.fields.map(({ name, type: own, isOptional }) => {
        const written = typeScriptType(own, style, `${indent}  `);
        return `${indent}  readonly ${style.toName(name)}${isOptional ? '?' : ''}: ${written};\n`;
      });
      return `{\n${fields.join('')}${indent}}`;
    }
    case 'json':
      return 'unknown';
  }
}

/** @param {readonly Model[]} models */
export function writePythonModels(models) {
  const blocks = models.map(({ name, description, fields }) =>
    [
      '@dataclass(frozen=True, kw_only=True)',
      `class ${name}:`,
      ...pythonComment(description, '"""', '"""'),
      ...fields.flatMap((field) => [
        ...pythonComment(field.description, '#: ', ''),
        `    ${field.name}: ${pythonType(field.type)}${field.isOptional ? ' | None = None' : ''}`,
      ]),
    ].join('\n'),
  );
  return [
    '"""The types of what the service answers with."""',
    '',
    '# Generated by `npm run docs` from the interface’s document; edit that.',
    '',
    'from __future__ import annotations',
    '',
    'from dataclasses import dataclass',
    'from datetime import datetime',
    'from typing import Any, Literal',
    '',
    '',
    `${blocks.join('\n\n\n')}`,
    '',
  ].join('\n');
}

/**
 * @param {string} text
 * @param {string} before
 * @param {string} after
 */
function pythonComment(text, before, after) {
  if (text === '') return [];
  const lines = wrap(text, 100);
  if (after !== '') {
    const body = lines.map((line) => `    ${line}`);
    return lines.length === 1
      ? [`    ${before}${text}${after}`, '']
      : [`    ${before}${lines[0]}`, ...body.slice(1), `    ${after}`, ''];
  }
  return lines.map((line) => `    ${before}${line}`);
}

/**
 * @param {FieldType} type
 * @returns {string}
 */
function pythonType(type) {
  switch (type.kind) {
    case 'text':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'flag':
      return 'bool';
    case 'timestamp':
      return 'datetime';
    case 'words':
      return `Literal[${type.words.map((word) => `"${word}"`).join(', ')}]`;
    case 'model':
      return type.model;
    case 'list':
      return `tuple[${pythonType(type.of)}, ...]`;
    case 'nullable':
      return `${pythonType(type.of)} | None`;
    case 'object':
    case 'json':
      return 'Any';
  }
}
