// `npm run docs:scenarios`: runs the scenarios of clients/scenarios with every client and writes the results into
// docs/clients/scenarios.md. With --check, which `npm run check` uses, it only refuses a page whose rows differ from
// the scenarios. The tests check the cells, each client's its own column.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = path.join(root, 'docs/clients/scenarios.md');
const scenarios = path.join(root, 'clients/scenarios');

/** The columns, in order. */
export const clients = /** @type {const} */ (['TypeScript', 'Python', 'Python, asyncio', 'Go']);

/**
 * @typedef {typeof clients[number]} Client
 * @typedef {'passes' | 'FAILS' | '–'} Outcome `–` where a client does not play the scenario
 * @typedef {readonly (readonly [scenario: string, outcome: Outcome])[]} Column by the scenario's title, as `file: name`
 */

const head = `# Scenarios and who passes them

<!-- Made by the clients' tests: \`npm run docs:scenarios\`. Do not edit. -->

Each client plays the scenarios of [clients/scenarios](../../clients/scenarios/README.md) against the built service and real
SMTP, in \`test/system/scenarios-*.test.ts\`. Those tests fail when an outcome is not the one below.
`;

/** Returns the scenarios' titles, in order of file and place. */
function readTitles() {
  const files = readdirSync(scenarios).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const { scenarios: found } = /** @type {{ scenarios: { name: string }[] }} */ (
      JSON.parse(readFileSync(path.join(scenarios, file), 'utf8'))
    );
    return found.map(({ name }) => `${file.replace('.json', '')}: ${name}`);
  });
}

/**
 * @param {readonly string[]} titles
 * @param {(client: Client, title: string) => Outcome} find
 */
export function formatPage(titles, find) {
  const sums = clients.map((client) => titles.filter((title) => find(client, title) === 'passes').length);
  const rows = [
    ['scenario', ...clients],
    ...titles.map((title) => [title, ...clients.map((client) => find(client, title))]),
    [`passed of ${titles.length}`, ...sums.map(String)],
  ];
  const widths = ['', ...clients].map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = rows;
  return [head, line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line), ''].join(
    '\n',
  );
}

/**
 * Reads the table's outcomes.
 * @param {string} text of the page
 * @returns {ReadonlyMap<string, Readonly<Record<string, string>>>} by title
 */
export function readPage(text) {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  const [names = [], , ...others] = rows;
  return new Map(
    others
      .slice(0, -1)
      .map(([title = '', ...cells]) => [
        title,
        Object.fromEntries(cells.map((cell, at) => [names[at + 1] ?? '', cell])),
      ]),
  );
}

/** Returns one client's column of the page. @param {Client} client */
export function readColumn(client) {
  const rows = [...readPage(readFileSync(page, 'utf8'))];
  return rows.map(([title, cells]) => [title, cells[client]]).filter(([, outcome]) => outcome !== '–');
}

/**
 * Returns the page with a row for every title, keeping the valid cells.
 * @param {string} text
 * @param {readonly string[]} titles
 */
export function renewRows(text, titles) {
  const cells = readPage(text);
  const isOutcome = (/** @type {string | undefined} */ cell) => cell === 'passes' || cell === '–';
  return formatPage(titles, (client, title) => {
    const cell = cells.get(title)?.[client];
    return isOutcome(cell) ? /** @type {Outcome} */ (cell) : 'FAILS';
  });
}

function check() {
  const text = readFileSync(page, 'utf8');
  if (renewRows(text, readTitles()) === text) return;
  console.error('docs/clients/scenarios.md is out of date: run npm run docs:scenarios');
  process.exitCode = 1;
}

function write() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-scenarios-'));
  try {
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const tests = ['run', '--project', 'system', 'test/system/scenarios-'];
    const env = { ...process.env, SCENARIO_RESULTS: folder };
    const { status } = spawnSync(process.execPath, [vitest, ...tests], { cwd: root, env, stdio: 'inherit' });
    if (status !== 0) {
      // A client that cannot even start would be written down as one that plays nothing.
      console.error('docs/clients/scenarios.md stays as it is: not all clients passed');
      process.exitCode = 1;
      return;
    }
    const columns = new Map(
      clients.map((client) => {
        const column = /** @type {Column} */ (
          JSON.parse(readFileSync(path.join(folder, `${client}.json`), 'utf8'))
        );
        return [client, new Map(column)];
      }),
    );
    writeFileSync(
      page,
      formatPage(readTitles(), (client, title) => columns.get(client)?.get(title) ?? '–'),
    );
    console.log('wrote docs/clients/scenarios.md');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) check();
  else write();
}
