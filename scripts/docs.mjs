// Writes the documents that are generated from code; with --check it fails when one is out of date. Called by `npm run
// docs` and `npm run check`. To generate another one, add it to `documents`.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureModulesBuilt } from './build.mjs';
import {
  readModels,
  readPageModels,
  writePageModels,
  writePythonModels,
  writeTypeScriptModels,
} from './client-models.mjs';
import { writeGoModels } from './go-models.mjs';
import { readIfThere } from './read-if-there.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @typedef {object} GeneratedDocument
 * @property {string} file
 * @property {string | readonly string[]} from the built modules that it is made from
 * @property {(module: any, current: string) => string} write makes the text from the module's exports and, where only
 * a part is generated, the current file
 */

/** The types of answers do not depend on them. */
const anyLimits = {
  lifetimeDefaultSeconds: 3600,
  lifetimeMinSeconds: 60,
  lifetimeMaxSeconds: 3600,
  totalMaxSeconds: 3600,
  quarantineSeconds: 60,
  sessionMessages: 1,
  sessionBytes: 1,
};

/** @type {readonly GeneratedDocument[]} */
const documents = [
  { file: 'docs/configuration.md', from: 'packages/config/src/settings.js', write: writeConfiguration },
  { file: 'docs/metrics.md', from: 'observe/metrics.js', write: writeMetrics },
  { file: 'docs/errors.md', from: 'domain/error-catalogue.js', write: writeErrors },
  { file: 'docs/admin.md', from: 'operator/commands.js', write: writeCommands },
  ...['inbucket', 'mailhog', 'mailosaur', 'mailpit'].map((name) => dialectDocument(name, name)),
  dialectDocument('mail-tm', 'mailtm'),
  { file: 'docs/senders.md', from: 'compat/dialects.js', write: writeSenderCalls },
  {
    file: 'docs/compat/guerrilla-mail.md',
    from: 'compat/guerrilla/guerrilla.js',
    write: writeAjaxFunctions,
  },
  {
    file: 'web/src/api/models.ts',
    from: ['http/views/named-schemas.js', 'http/operations/create-operations.js'],
    write: ({ namedSchemas, createOperations }) =>
      writePageModels(readPageModels(namedSchemas, createOperations(anyLimits))),
  },
  {
    file: 'clients/typescript/src/models.ts',
    from: 'http/views/named-schemas.js',
    write: ({ namedSchemas }) => writeTypeScriptModels(readModels(namedSchemas)),
  },
  {
    file: 'clients/python/src/mayfly_client/models.py',
    from: 'http/views/named-schemas.js',
    write: ({ namedSchemas }) => writePythonModels(readModels(namedSchemas)),
  },
  {
    file: 'clients/go/mayfly/models.go',
    from: 'http/views/named-schemas.js',
    write: ({ namedSchemas }) => writeGoModels(readModels(namedSchemas)),
  },
];

/** @param {{ settings: readonly { area: string, name: string, type: string, default: string, description: string }[] }} module */
function writeConfiguration({ settings }) {
  const areas = [...new Set(settings.map((setting) => setting.area))];
  const sections = areas.map((area) => {
    const rows = settings
      .filter((setting) => setting.area === area)
      .map((s) => [`\`${s.name}\``, s.default === '' ? 'empty' : `\`${s.default}\``, s.type, s.description]);
    return [`## ${area}`, '', ...table(['variable', 'default', 'accepts', 'what and why'], rows), ''];
  });
  return [
    '# Configuration',
    '',
    generatedFrom('packages/config/src/settings.ts'),
    '',
    'Mayfly reads its settings from environment variables once, at the start. Every setting has a default, which also',
    'applies to an empty variable. Times and sizes end in their unit: `_SECONDS`, `_MS`, `_BYTES`. With an invalid',
    'value the service does not start, and prints a line that names it.',
    '',
    ...sections.flat(),
  ].join('\n');
}

/** @param {{ createMetrics: () => { registry: { describe(): readonly { name: string, type: string, help: string, labels: readonly string[] }[] } } }} module */
function writeMetrics({ createMetrics }) {
  const rows = createMetrics()
    .registry.describe()
    .map(({ name, type, help, labels }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
  return [
    '# Metrics',
    '',
    generatedFrom('src/observe/metrics.ts'),
    '',
    'Served in Prometheus’ text format at `/metrics` of the operator’s listener (`MAYFLY_ADMIN_PORT`), and nowhere else.',
    'Names are stable, so that dashboards and alerts can rely on them. No label contains a value chosen by a stranger,',
    'but for the twenty domains that sent most today.',
    'Counting costs 0.3 µs per message; the text is made on request. `deploy/prometheus/alerts.yml` and',
    '`deploy/grafana/mayfly.json` use these metrics.',
    '',
    ...table(['metric', 'type', 'labels', 'what'], rows),
    '',
    'For a message that was not stored, the reason is the name of the reply: see `replies` in',
    '[packages/mail-receiver/src/reply.ts](../packages/mail-receiver/src/reply.ts). Histograms are in seconds, from 0.5 ms to 10 s.',
    '',
  ].join('\n');
}

/** @param {{ errorCatalogue: Record<string, { http: number, when: string, retryable: boolean }> }} module */
function writeErrors({ errorCatalogue }) {
  const rows = Object.entries(errorCatalogue).map(([code, entry]) => [
    `\`${code}\``,
    String(entry.http),
    entry.retryable ? 'yes' : 'no',
    entry.when,
  ]);
  return [
    '# Errors',
    '',
    generatedFrom('src/domain/error-catalogue.ts'),
    '',
    'Every failed HTTP request gets a JSON answer with one of these codes. Codes are stable: they are never renamed or',
    'reused, but new ones may be added. *Retry* tells whether the same request may succeed later.',
    '',
    ...table(['code', 'status', 'retry', 'when'], rows),
    '',
  ].join('\n');
}

/**
 * @typedef {object} DocumentedCommand
 * @property {string} method
 * @property {string} path
 * @property {string | undefined} words
 * @property {boolean | undefined} isLocal
 * @property {Record<string, { operand?: string, required?: true, isLocal?: true }>} parameters
 */

/**
 * @param {{ operatorCommands: readonly DocumentedCommand[], operatorStreams: readonly DocumentedCommand[] }} module
 * @param {string} current
 */
function writeCommands({ operatorCommands, operatorStreams }, current) {
  const rows = [...operatorCommands, ...operatorStreams]
    .filter(({ isLocal }) => !isLocal)
    .map(({ method, path: at, words, parameters }) => {
      const entries = Object.entries(parameters);
      const operands = entries.flatMap(([, { operand, required }]) =>
        operand === undefined ? [] : [required ? operand : `[${operand}]`],
      );
      const names = entries.filter(([, { isLocal }]) => !isLocal).map(([name]) => `\`${name}\``);
      const line = words === undefined ? '' : `\`${['mayfly', words, ...operands].join(' ')}\``;
      return [`\`${method} ${at}\``, names.join(', '), line];
    });
  const lines = alignedTable(['operation', 'parameters', 'command line'], rows);
  return replaceGenerated(current, 'src/operator', lines);
}

/**
 * @param {string} page
 * @param {string} name
 * @returns {GeneratedDocument}
 */
function dialectDocument(page, name) {
  return {
    file: `docs/compat/${page}.md`,
    from: `compat/${name}/${name}.js`,
    write: (module, current) => writeRoutes(module[name], current),
  };
}

/**
 * Neighbouring routes with one summary share a row.
 * @param {{ name: string, routes: readonly { method: string, path: string, summary: string }[] }} dialect
 * @param {string} current
 */
function writeRoutes({ name, routes }, current) {
  /** @type {string[][]} */
  const rows = [];
  for (const { method, path: at, summary } of routes) {
    const endpoint = `\`${method} ${at.replace(/:(\w+)/g, '{$1}')}\``;
    const last = rows.at(-1);
    if (last?.[1] === summary) last[0] += `, ${endpoint}`;
    else rows.push([endpoint, summary]);
  }
  return replaceGenerated(current, `src/compat/${name}`, alignedTable(['route', 'what it does'], rows));
}

/**
 * @param {{ dialects: readonly { name: string, routes: readonly { method: string, path: string, summary: string }[] }[] }} module
 * @param {string} current
 */
function writeSenderCalls({ dialects }, current) {
  const rows = dialects
    .filter(isSender)
    .flatMap(({ name, routes }) =>
      routes
        .filter(({ path: at }) => !at.startsWith(`/${name}`))
        .map(({ method, path: at, summary }) => [
          name,
          `\`${method} ${at.replace(/:(\w+)/g, '{$1}')}\``,
          summary,
        ]),
    );
  const lines = alignedTable(['service', 'call', 'what it does'], rows);
  return replaceGenerated(current, 'src/compat/senders', lines);
}

/**
 * Senders are also served below their name.
 * @param {{ name: string, routes: readonly { path: string }[] }} dialect
 */
function isSender({ name, routes }) {
  return routes.some(({ path: at }) => at.startsWith(`/${name}/`));
}

/**
 * @param {{ ajaxFunctions: Record<string, { summary: string, parameters: readonly string[] }> }} module
 * @param {string} current
 */
function writeAjaxFunctions({ ajaxFunctions }, current) {
  const rows = Object.entries(ajaxFunctions).map(([name, { summary, parameters }]) => [
    `\`${name}\``,
    parameters.map((parameter) => `\`${parameter}\``).join(', '),
    summary,
  ]);
  const lines = alignedTable(['`f`', 'parameters', 'what it does'], rows);
  return replaceGenerated(current, 'src/compat/guerrilla', lines);
}

/**
 * @param {string} current the whole document
 * @param {string} source
 * @param {readonly string[]} lines of its generated part
 */
function replaceGenerated(current, source, lines) {
  const start = generatedFrom(source);
  const end = '<!-- Generated so far. -->';
  const [before, after] = [current.split(start)[0], current.split(end)[1]];
  if (before === current || after === undefined) throw new Error(`A document lacks ${start} or ${end}`);
  return [before + start, '', ...lines, '', end + after].join('\n');
}

/** @param {string} source */
function generatedFrom(source) {
  return `<!-- Generated from ${source} by \`npm run docs\`. Do not edit. -->`;
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/**
 * Formats as `npm run format` does.
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function alignedTable(head, rows) {
  const escaped = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, at) => Math.max(...escaped.map((row) => (row[at] ?? '').length)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = escaped;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)];
}

const checking = process.argv.includes('--check');
const buildDir = await ensureModulesBuilt();
for (const document of documents) {
  const file = path.join(root, document.file);
  const current = await readIfThere(file);
  const modules = await Promise.all(
    [document.from].flat().map((from) => import(pathToFileURL(path.join(buildDir, from)).href)),
  );
  const wanted = document.write(Object.assign({}, ...modules), current ?? '');
  if (wanted === current) continue;
  if (checking) {
    console.error(`${document.file} is out of date: run \`npm run docs\``);
    process.exitCode = 1;
  } else {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, wanted);
    console.log(`wrote ${document.file}`);
  }
}
