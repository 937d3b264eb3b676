// `npm run check`: every static check of the code, as many at once as there are processors. Prints one line for each,
// and the output of those that failed. Exits with 1 if any failed. The first run installs the checking programs (tools/)
// and what the clients' types need (clients/).
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const npmClients = ['typescript', 'playwright', 'cypress', 'testcontainers'].map((name) => `clients/${name}`);

/**
 * The native compiler, in a seventh of the processor time. The rules and scripts use the JavaScript one, which has an
 * interface for programs.
 */
const compiler = 'tools/node_modules/typescript-seven/bin/tsc';

/**
 * The types of all code stay in memory while it is linted. With the limits of Node.js a third of the time went into
 * collecting garbage.
 */
const roomForTypes = ['--max-semi-space-size=64', '--max-old-space-size=6144'];

/**
 * Longest first: name, program of node_modules or script, arguments.
 * @type {{ name: string, program: string, args: string[], nodeOptions?: string[] }[]}
 */
const checks = [
  {
    name: 'lint',
    program: 'tools/node_modules/eslint/bin/eslint.js',
    args: ['.', '--max-warnings=0'],
    nodeOptions: roomForTypes,
  },
  { name: 'types', program: compiler, args: ['-p', 'tsconfig.json'] },
  { name: 'types of the page', program: compiler, args: ['-p', 'web'] },
  {
    name: 'types of its service worker',
    program: compiler,
    args: ['-p', 'web/service-worker'],
  },
  ...npmClients.map((client) => ({
    name: `types of ${client}`,
    program: compiler,
    args: ['-p', client],
  })),
  {
    name: 'types of the extension',
    program: compiler,
    args: ['-p', 'clients/extension'],
  },
  {
    name: 'types of the MCP server',
    program: compiler,
    args: ['-p', 'clients/mcp'],
  },
  {
    name: 'format',
    program: 'node_modules/prettier/bin/prettier.cjs',
    args: ['--check', '--log-level=warn', '.'],
  },
  { name: 'dead code', program: 'tools/node_modules/knip/bin/knip.js', args: ['--no-progress'] },
  {
    name: 'layers',
    program: 'tools/node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    args: [
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'packages',
      ...npmClients,
      'clients/mcp',
      'clients/action',
      'clients/cli',
      'clients/extension/src',
      'test',
      'bench',
      'scripts',
      'tools',
      'bin',
      'web',
    ],
  },
  {
    name: 'style sheets',
    program: 'tools/node_modules/stylelint/bin/stylelint.mjs',
    args: ['web/**/*.css', '--max-warnings=0'],
  },
  { name: 'documents', program: 'scripts/docs.mjs', args: ['--check'] },
  { name: 'table of scenarios', program: 'scripts/scenario-page.mjs', args: ['--check'] },
  { name: 'table of trees', program: 'packages/mail-reader/train/check-table.mjs', args: [] },
  { name: 'links', program: 'scripts/check-links.mjs', args: [] },
  { name: 'versions', program: 'scripts/set-version.mjs', args: ['--check'] },
  { name: 'text and names', program: 'scripts/check-text.mjs', args: [] },
];

await installPackages('tools');
await installPackages('clients');
const startedAt = performance.now();
const waiting = [...checks];
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), checks.length) }, runWaiting));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
if (failed.length > 0) {
  console.error(`check: failed in ${seconds} s: ${failed.join(', ')}`);
  process.exitCode = 1;
} else {
  console.log(`check: all ${checks.length} passed in ${seconds} s`);
}

async function runWaiting() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const began = performance.now();
    const { status, output } = await run(check);
    const took = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${took} s)`);
    if (status === 0) continue;
    failed.push(check.name);
    console.log(output.trimEnd().replaceAll(/^/gm, '       '));
  }
}

/**
 * @param {(typeof checks)[number]} check
 * @returns {Promise<{ status: number, output: string }>}
 */
function run({ program, args, nodeOptions = [] }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeOptions, program, ...args], { cwd: root });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ status: code ?? 1, output: Buffer.concat(output).toString() });
    });
  });
}
