// The work of the steps on this machine: users, units, ports. Everything goes through programs of the system.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

import { codeOf } from '../../system-errors/src/error-code.ts';
import { messageOf } from '../../system-errors/src/error-message.ts';
import { SetupError } from './setup-error.ts';

const run = promisify(execFile);

export const sockets = ['mayfly-smtp.socket', 'mayfly-http.socket', 'mayfly-redirect.socket'];
export const allUnits = [...sockets, 'mayfly.service', 'mayfly-backup.timer'];

/** @throws SetupError with what the program wrote */
export async function runTool(program: string, ...args: string[]): Promise<string> {
  try {
    return (await run(program, args, { encoding: 'utf8' })).stdout;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const output = (stderr ?? messageOf(error)).trim().split('\n').at(-1) ?? '';
    throw new SetupError(`\`${program} ${args.join(' ')}\` failed: ${output}`, { cause: error });
  }
}

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

export const isActive = (unit: string): Promise<boolean> =>
  succeeds('systemctl', 'is-active', '--quiet', unit);
export const isEnabled = (unit: string): Promise<boolean> =>
  succeeds('systemctl', 'is-enabled', '--quiet', unit);

/** ms since 1970, in whole seconds; 0 when it does not run. */
export async function startedAt(unit: string): Promise<number> {
  const text = await runTool(
    'systemctl',
    'show',
    '--timestamp=unix',
    '--property=ActiveEnterTimestamp',
    unit,
  );
  return Number(/=@(\d+)/.exec(text)?.[1] ?? 0) * 1000;
}

/** Numbers of the service's user and group; undefined when there is no such user. */
export async function findUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (!(await succeeds('getent', 'passwd', 'mayfly'))) return undefined;
  const [, , uid, gid] = (await runTool('getent', 'passwd', 'mayfly')).split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

const known: Readonly<Record<string, readonly string[]>> = { debian: ['12', '13'], ubuntu: ['24.04'] };
const printInstead = 'Give --print DIR to have everything written into a folder instead.';

/** @throws SetupError unless quickstart can set up this machine */
export function requireKnownSystem(): void {
  if (process.getuid?.() !== 0) throw new SetupError(`Only root can set up the machine. ${printInstead}`);
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const of = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1] ?? '';
  if (known[of('ID')]?.includes(of('VERSION_ID')) !== true) {
    const name = of('PRETTY_NAME') || 'this system';
    throw new SetupError(
      `Quickstart knows Debian 12 and 13 and Ubuntu 24.04, and not ${name}. ${printInstead}`,
    );
  }
  if (!existsSync('/run/systemd/system')) throw new SetupError(`systemd does not run here. ${printInstead}`);
}

/** The unit hides homes and temporary folders from the service. */
export function isHidden(...files: string[]): boolean {
  return files.some((file) => /^\/(?:root|home|run\/user|tmp|var\/tmp)\//.test(file));
}

/** @throws SetupError */
export async function requireReachable(...files: string[]): Promise<void> {
  for (const file of files) {
    const isThere = await access(file, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (isHidden(file) || !isThere) {
      throw new SetupError(
        `The service cannot read ${file}: install the Debian package, or the program in /opt/mayfly.`,
      );
    }
  }
}

const ports = [25, 80, 443];

/** @throws SetupError when another program has one of the ports */
export async function requireFreePorts(): Promise<void> {
  for (const port of ports) {
    if (await isFree(port)) continue;
    const unit = { 25: sockets[0], 443: sockets[1], 80: sockets[2] }[port] ?? '';
    if (await isActive(unit)) continue;
    throw new SetupError(
      `Port ${port} is in use by another program; \`ss -ltnp sport = :${port}\` names it.`,
    );
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
