// `mayfly dev` as a process that one step starts and a later one stops.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The first start in a clone builds the service. */
const readyWithinMs = 180_000;
const endsWithinMs = 20_000;
const logTail = 4000;

/**
 * @typedef {object} Started
 * @property {number} pid
 * @property {Readonly<Record<string, string>>} variables printed for the environment of a test
 * @property {string} operator URL of the operator's listener, whose metrics need no key; '' for a version without it
 */

/**
 * Installs the package into the folder.
 * @param {string} folder
 * @param {string} version
 * @returns {string} the program
 */
export function install(folder, version) {
  const words = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `mayfly@${version}`,
  ];
  const { status, error } = spawnSync('npm', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw new Error(`npm cannot be run; actions/setup-node brings it: ${error.message}`);
  if (status !== 0) throw new Error(`npm install mayfly@${version} failed with status ${status}.`);
  return path.join(folder, 'node_modules/mayfly/bin/mayfly.mjs');
}

/**
 * Uses the job's own Node.js, for which the package was installed, rather than the runner's.
 * @param {{ program: string, folder: string, httpPort: string, smtpPort: string }} given the folder is for its output
 * @returns {Promise<Started>} once it answers
 */
export async function start({ program, folder, httpPort, smtpPort }) {
  const [output, log] = [path.join(folder, 'output.txt'), path.join(folder, 'log.jsonl')];
  const descriptors = [openSync(output, 'w', 0o600), openSync(log, 'w', 0o600)];
  const words = [program, 'dev', '--http-port', httpPort, '--smtp-port', smtpPort];
  const child = spawn('node', words, {
    detached: true,
    stdio: ['ignore', ...descriptors],
    env: { ...process.env, MAYFLY_ADMIN_HOST: '127.0.0.1', MAYFLY_ADMIN_PORT: '0' },
  });
  /** @type {string | undefined} */
  let ended;
  child.once('error', ({ message }) => (ended = `cannot be run: ${message}`));
  child.once('exit', (status, signal) => (ended = `ended with ${status ?? signal}`));
  for (const descriptor of descriptors) closeSync(descriptor);
  const until = performance.now() + readyWithinMs;
  for (;;) {
    const text = readFileSync(output, 'utf8');
    if (/^MAYFLY_URL=.*\n/m.test(text) && text.endsWith('\n')) {
      child.unref();
      return { pid: child.pid ?? 0, ...readOutput(text) };
    }
    if (ended !== undefined || performance.now() > until) {
      if (child.pid !== undefined && ended === undefined) await stop(child.pid, program);
      const output = readFileSync(log, 'utf8').slice(-logTail);
      throw new Error(`mayfly dev ${ended ?? `was not ready within ${readyWithinMs / 1000} s`}.\n${output}`);
    }
    await delay(100);
  }
}

/** @param {string} text of `mayfly dev` */
function readOutput(text) {
  const found = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
  /** @type {Record<string, string>} */
  const variables = Object.fromEntries(found);
  const operator = /^ {2}Operator: +(\S+)\/admin$/m.exec(text)?.[1] ?? '';
  return { variables, operator };
}

/**
 * Stops the process, gracefully if possible, and waits until it is gone.
 * @param {number} pid
 * @param {string} program that it runs: the id may belong to another process by now
 */
export async function stop(pid, program) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    if (!isRunning(pid, program)) return;
    process.kill(pid, signal);
    for (const until = performance.now() + endsWithinMs; performance.now() < until; await delay(50)) {
      if (!isRunning(pid, program)) return;
    }
  }
  throw new Error(`mayfly dev (process ${pid}) cannot be ended.`);
}

/**
 * @param {number} pid
 * @param {string} program
 */
function isRunning(pid, program) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
  // Empty for a zombie. Other systems have no such file.
  const line = `/proc/${pid}/cmdline`;
  return (
    !existsSync('/proc/self/cmdline') || (existsSync(line) && readFileSync(line, 'utf8').includes(program))
  );
}
