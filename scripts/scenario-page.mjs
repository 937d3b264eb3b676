// `npm run docs:scenarios`: has every client play the scenarios of clients/scenarios and writes what became of each into
// docs/clients/scenarios.md. With --check it plays nothing: it refuses a page whose rows are not the scenarios, and
// `npm run check` calls it. What the cells say is held by the tests, each of which compares its own column.
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

/** The scenarios' titles, by file and place. */
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
 * The table's outcomes.
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

/** The column of one client, as the page has it. @param {Client} client */
export function readColumn(client) {
  const rows = [...readPage(readFileSync(page, 'utf8'))];
  return rows.map(([title, cells]) => [title, cells[client]]).filter(([, outcome]) => outcome !== '–');
}

/**
 * The page with the rows that there should be, and of its cells those that say what a cell can.
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
  console.error(
    'docs/clients/scenarios.md does not have the scenarios that there are: npm run docs:scenarios',
  );
  process.exitCode = 1;
}

function write() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-scenarios-'));
  try {
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const tests = ['run', '--project', 'system', 'test/system/scenarios-'];
    const env = { ...process.env, SCENARIO_RESULTS: folder };
    const { status } = spawnSync(process.execPath, [vitest, ...tests], { cwd: root, env, stdio: 'inherit' });
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
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) check();
  else write();
}
