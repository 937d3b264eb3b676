// Counts the files and functions that run when one message of one line arrives over a new connection, beyond those that
// run while the service is idle. Used by scripts/measure-structure.mjs. It starts the service on free ports of 127.0.0.1.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { ensureModulesBuilt } from './build.mjs';

const counter = fileURLToPath(new URL('count-executed.mjs', import.meta.url));
const idleMs = 4000;

/** @returns {Promise<{ files: string[], functions: number }>} paths as in the repository, without packages of others */
export async function findExecutedFiles() {
  const build = await ensureModulesBuilt();
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-executed-'));
  const report = path.join(folder, 'executed');
  const child = spawn(process.execPath, ['--import', counter, path.join(build, 'main.js'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      EXECUTED_FILE: report,
      MAYFLY_DATA_DIR: path.join(folder, 'data'),
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ready = await readReadyLine(child);
    const [, http] = /(http:\/\/[\d.:]+)/.exec(ready) ?? [];
    const [, smtpPort] = /smtp\D+[\d.]+:(\d+)/.exec(ready) ?? [];
    if (http === undefined || smtpPort === undefined) throw new Error(`No addresses in: ${ready}`);
    const response = await fetch(`${http}/create-session`, { method: 'POST' });
    const { email } = /** @type {{ email: string }} */ (await response.json());
    await sleep(idleMs);
    await takeExecuted(child, report);
    await sleep(idleMs);
    const idle = new Set(await takeExecuted(child, report));
    await sendOne(Number(smtpPort), email);
    const executed = await takeExecuted(child, report);
    const ours = executed.filter(
      (line) => !idle.has(line) && !line.includes('/node_modules/better-sqlite3/'),
    );
    const files = new Set(ours.map((line) => toSource(build, line.split(' ')[0] ?? '')));
    return { files: [...files].filter((file) => !file.startsWith('..')).sort(), functions: ours.length };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} build
 * @param {string} file a module of the build
 */
function toSource(build, file) {
  const inBuild = path.relative(build, file).replace(/\.js$/, '.ts');
  const inRepository = inBuild.replace('node_modules/@mayfly/mail-reader/dist/', 'packages/mail-reader/src/');
  return /^(?:packages\/|\.\.)/.test(inRepository) ? inRepository : `src/${inRepository}`;
}

/** @param {import('node:child_process').ChildProcess} child */
function readReadyLine(child) {
  return new Promise((/** @type {(line: string) => void} */ resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error('The service did not start.')));
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      text += chunk;
      const line = text.split('\n').find((each) => each.startsWith('ready'));
      if (line !== undefined && text.includes(`${line}\n`)) resolve(line);
    });
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} report
 * @returns {Promise<string[]>}
 */
async function takeExecuted(child, report) {
  child.kill('SIGUSR2');
  while (!existsSync(report)) await sleep(20);
  const lines = readFileSync(report, 'utf8').split('\n');
  rmSync(report);
  return lines;
}

/**
 * Sends one message of one line, each command after the last reply.
 * @param {number} port
 * @param {string} address
 */
async function sendOne(port, address) {
  const socket = createConnection(port, '127.0.0.1');
  const commands = [
    'EHLO client.test\r\n',
    'MAIL FROM:<a@client.test>\r\n',
    `RCPT TO:<${address}>\r\n`,
    'DATA\r\n',
    'Subject: One line\r\n\r\nHello.\r\n.\r\n',
    'QUIT\r\n',
  ];
  let reply = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    reply += chunk;
    if (!/(?:^|\n)\d{3} [^\n]*\n$/.test(reply)) continue;
    if (!/^[23]/.test(reply)) throw new Error(`The service replied ${reply}`);
    reply = '';
    const next = commands.shift();
    if (next !== undefined) socket.write(next);
  }
  if (commands.length > 0) throw new Error('The service closed the connection.');
}
