// Saves a PostgreSQL store to one file and restores it, with PostgreSQL's own pg_dump and pg_restore, which read a
// single snapshot and support every type and version. Called by the backup and restore commands. Runs only these two
// programs, never in the service's process, and passes the password in their environment, since every user of the
// machine can read arguments.

import { spawn } from 'node:child_process';

import { codeOf } from '#system-errors/error-code';
import { messageOf } from '#system-errors/error-message';
import { OperatorError } from '../service/operating/operator-error.ts';

export interface DatabaseAccess {
  /** URL of the database itself, not of a pooler. */
  readonly url: string;
  /** Where to find the programs, as in the environment variable PATH. */
  readonly programPath: string;
}

const stderrMaxChars = 10_000;

export interface Dump {
  readonly file: string;
  /** The snapshot to be read, which its exporter holds meanwhile. */
  readonly snapshot: string;
}

/** A dump that waits for a lock blocks the removal of destroyed keys, and piles up when it runs by the clock. */
const lockWait = '60s';

/** Dumps everything in the snapshot. @throws OperatorError */
export async function dumpDatabase(
  { url, programPath }: DatabaseAccess,
  { file, snapshot }: Dump,
): Promise<void> {
  await run('pg_dump', { url, programPath }, [
    '--format=custom',
    '--compress=0',
    '--schema=mayfly',
    '--no-owner',
    '--no-privileges',
    `--snapshot=${snapshot}`,
    `--lock-wait-timeout=${lockWait}`,
    `--file=${file}`,
  ]);
}

/** Verifies that the file is a complete dump. @throws OperatorError */
export async function checkDump(programPath: string, file: string): Promise<void> {
  // Reads every row and discards it.
  await run('pg_restore', { programPath }, ['--file=/dev/null', file]);
}

/** Loads all or nothing. @throws OperatorError */
export async function loadDatabase(access: DatabaseAccess, file: string): Promise<void> {
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', file];
  await run('pg_restore', access, args);
}

/** Runs a query and reports a database error in one line. @throws OperatorError */
export async function askDatabase<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database cannot be queried: ${messageOf(error)}`, { cause: error });
  }
}

/** Splits the URL into the form the programs accept, and the password. */
function splitPassword(url: string): { readonly dbname: string; readonly password: string } {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  return { dbname: parsed.href, password };
}

async function run(
  program: string,
  { url, programPath }: { readonly url?: string; readonly programPath: string },
  args: readonly string[],
): Promise<void> {
  const target = url === undefined ? undefined : splitPassword(url);
  const password = target?.password ?? '';
  const child = spawn(program, [...(target ? [`--dbname=${target.dbname}`] : []), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: programPath, LC_ALL: 'C', ...(password === '' ? {} : { PGPASSWORD: password }) },
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < stderrMaxChars) output += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        codeOf(error) === 'ENOENT'
          ? new OperatorError(
              `${program} is not installed: it comes with PostgreSQL’s client programs (Debian: postgresql-client).`,
            )
          : error,
      );
    });
    child.once('close', resolve);
  });
  if (status === 0) return;
  const reason = output.trim().split('\n').slice(0, 3).join(' ');
  throw new OperatorError(`${program} ended with ${status ?? 'a signal'}: ${reason}`);
}
