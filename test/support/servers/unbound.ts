// The test's own unbound with one zone and no upstream: configuration and port are separate; the machine's resolver,
// if any, is not touched.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { freePort } from './free-port.ts';

export interface Unbound {
  /** In the form of MAYFLY_DNS_SERVERS. */
  readonly server: string;
  /** Ends it by its process id and removes its folder. Safe to call twice. */
  close(): Promise<void>;
}

export interface Zone {
  /** Name → text; the zone has no other names. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names below which every query is refused. */
  readonly refused?: readonly string[];
}

/** A DNS text record consists of strings of at most 255 bytes. */
function toRecord([name, text]: readonly [string, string]): string {
  const strings = text.match(/.{1,250}/g)?.map((part) => `"${part}"`) ?? ['""'];
  return `  local-data: '${name}. 60 IN TXT ${strings.join(' ')}'`;
}

function unboundConf(port: number, { texts, refused = [] }: Zone): string {
  return [
    'server:',
    `  interface: 127.0.0.1@${port}`,
    '  do-daemonize: no',
    '  username: ""',
    '  chroot: ""',
    '  directory: "/"',
    '  pidfile: ""',
    '  use-syslog: no',
    '  log-queries: yes',
    '  module-config: "iterator"',
    '  local-zone: "." static',
    ...refused.map((name) => `  local-zone: "${name}." always_refuse`),
    ...Object.entries(texts).map(toRecord),
    'remote-control:',
    '  control-enable: no',
    '',
  ].join('\n');
}

export async function startUnbound(zone: Zone): Promise<Unbound> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-unbound-'));
  const port = await freePort();
  const file = path.join(folder, 'unbound.conf');
  await writeFile(file, unboundConf(port, zone));
  const child = spawn('unbound', ['-d', '-p', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
  });
  await untilStarted(child);
  return {
    server: `127.0.0.1:${port}`,
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function untilStarted(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4000);
      if (/start of service/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`unbound ended with ${code}: ${log}`));
    });
  });
}
