// Many large messages at once on the built service, and the memory they take. Used by the short and the long run.

import { readFile } from 'node:fs/promises';

import type { Lent, MayflyProcess } from '../service/mayfly-process.ts';
import { greet, type SmtpClient } from '../smtp/smtp-client.ts';

const line = `${'x'.repeat(74)}\r\n`;

/** @returns resident bytes of the process: now, and the peak */
export async function memoryOf({ child }: MayflyProcess): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

export interface Load {
  readonly connections: number;
  readonly messageBytes: number;
}

/**
 * Begins a message on every connection and sends all but its end. Resolves when the service has all of it: each
 * message is one chunk, which is acknowledged, and the last one is outstanding.
 */
export async function sendAllButTheEnd(
  port: number,
  lents: readonly Lent[],
  { connections, messageBytes }: Load,
): Promise<SmtpClient[]> {
  const body = Buffer.from(line.repeat(Math.ceil(messageBytes / line.length)));
  const clients: SmtpClient[] = [];
  for (let at = 0; at < connections; at++) {
    const client = await greet(port);
    await client.command(`MAIL FROM:<a@client.test> SIZE=${body.length}`);
    await client.command(`RCPT TO:<${lents[at % lents.length]!.email}>`);
    clients.push(client);
  }
  const taken = clients.map((client) => {
    client.send(`BDAT ${body.length}\r\n`);
    client.send(body);
    return client.readReply();
  });
  for (const reply of await Promise.all(taken)) {
    if (!reply.startsWith('250 ')) throw new Error(`Refused: ${reply}`);
  }
  return clients;
}

/** Ends the messages, this many at once. @returns the replies other than 250 */
export async function finishAll(clients: readonly SmtpClient[], atOnce: number): Promise<string[]> {
  const refused: string[] = [];
  for (let from = 0; from < clients.length; from += atOnce) {
    const group = clients.slice(from, from + atOnce).map((client) => client.command('BDAT 0 LAST'));
    for (const reply of await Promise.all(group)) if (!reply.startsWith('250 ')) refused.push(reply);
  }
  return refused;
}
