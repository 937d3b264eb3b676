// The built service under a fault test: started in the surroundings it asks for, ended with the test, and asked how it
// fares while others trouble it.

import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { useDataFolder, useMayfly } from './mayfly-fixture.ts';
import type { Lent, MayflyProcess } from './mayfly-process.ts';
import { SmtpClient } from './smtp-client.ts';

export async function startUnderFault(
  settings: Readonly<Record<string, string>>,
  dataDir?: string,
): Promise<MayflyProcess> {
  return useMayfly(dataDir ?? (await useDataFolder()), settings);
}

/** From an address of 127/8 that is this sender's own, as limits count. Cut when the test ends. */
export function connectFrom(localAddress: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.setNoDelay(true);
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** A message over a connection of its own, and the list read: how long both took, ms. */
export async function useOnce(
  mayfly: MayflyProcess,
  lent: Lent,
  from: string,
): Promise<{ readonly mailMs: number; readonly readMs: number }> {
  const startedAt = performance.now();
  const client = new SmtpClient(await connectFrom(from, mayfly.smtpPort));
  const banner = await client.readReply();
  if (!banner.startsWith('220 ')) throw new Error(`Turned away: ${banner}`);
  await client.command('EHLO client.test');
  const reply = await client.deliver('Subject: in use\r\n\r\nbody\r\n', lent.email);
  client.socket.destroy();
  if (!reply.startsWith('250 ')) throw new Error(`Not taken: ${reply}`);
  const mailedAt = performance.now();
  await mayfly.checkMail(lent.token);
  return { mailMs: mailedAt - startedAt, readMs: performance.now() - mailedAt };
}

/** Uses the service again and again until `isOver`; the slowest hundredth of each. */
export async function useUntil(
  mayfly: MayflyProcess,
  from: string,
  isOver: () => boolean,
): Promise<{ readonly count: number; readonly mailP99: number; readonly readP99: number }> {
  const lent = await mayfly.lend();
  const [mails, reads]: [number[], number[]] = [[], []];
  while (!isOver()) {
    const { mailMs, readMs } = await useOnce(mayfly, lent, from);
    mails.push(mailMs);
    reads.push(readMs);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { count: mails.length, mailP99: percentile99(mails), readP99: percentile99(reads) };
}

/** Whole ms. */
export function percentile99(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? NaN);
}

/** Resident memory, MiB: now and the most that it ever was. */
export async function memoryOf({ child }: MayflyProcess): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { now: Math.round(read('VmRSS')), most: Math.round(read('VmHWM')) };
}

/** Seconds of processor time that it has used. */
export async function cpuOf({ child }: MayflyProcess): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
