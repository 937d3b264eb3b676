// The built service in a fault test: started in a given environment, ended with the test, and measured while others
// disturb it.

import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { useDataFolder, useMayfly } from '../service/mayfly-fixture.ts';
import type { Lent, MayflyProcess } from '../service/mayfly-process.ts';
import { SmtpClient } from '../smtp/smtp-client.ts';

export async function startUnderFault(
  settings: Readonly<Record<string, string>>,
  dataDir?: string,
): Promise<MayflyProcess> {
  return useMayfly(dataDir ?? (await useDataFolder()), settings);
}

/**
 * Connects from an address of 127/8 that no other sender uses, because limits count by address. Closed when the test
 * ends.
 */
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

/** Sends a message over a new connection and reads the list; returns how long both took, ms. */
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

/** Uses the service repeatedly until `isOver`; returns the slowest hundredth of each. */
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

/** Rounded to ms. */
export function percentile99(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? NaN);
}

/** Resident memory, MiB: now, and the peak. */
export async function memoryOf({ child }: MayflyProcess): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return { now: Math.round(read('VmRSS')), most: Math.round(read('VmHWM')) };
}

/** Returns the processor time it has used, in seconds. */
export async function cpuOf({ child }: MayflyProcess): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
