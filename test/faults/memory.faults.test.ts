// R9: as much as possible at once, from many clients: large messages, endless lines, large request bodies. Memory
// stays bounded whatever arrives.

import { once } from 'node:events';

import { expect, it } from 'vitest';

import { report, scaled } from '../support/faults/fault-scale.ts';
import { unlimited } from '../support/faults/ledger.ts';
import { connectFrom, memoryOf, startUnderFault } from '../support/faults/service-under-fault.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';

const mib = 1024 * 1024;
const boundMib = 256;
const messages = scaled(20, 50);
const block = Buffer.from(`${'x'.repeat(76)}\r\n`.repeat(10_000));

it(
  `${messages} messages of 25 MiB, endless lines and large bodies at once stay below ${boundMib} MiB`,
  { timeout: 900_000 },
  async () => {
    const mayfly = await startUnderFault({ ...unlimited, MAYFLY_SMTP_IN_FLIGHT_MAX_BYTES: '0' });
    const lent = await mayfly.lend();
    const outcomes = await Promise.all([
      ...Array.from({ length: messages }, () => sendLarge(mayfly.smtpPort, lent.email)),
      ...Array.from({ length: 8 }, () => sendEndlessLine(mayfly.smtpPort)),
      ...Array.from({ length: 200 }, () => postLarge(mayfly.origin)),
    ]);
    const taken = outcomes.filter((outcome) => outcome.startsWith('250 ')).length;
    const memory = await memoryOf(mayfly);
    report('R9 memory', { 'messages of 25 MiB at once': messages, taken, 'most RSS MiB': memory.most });
    expect(outcomes.slice(0, messages).filter((outcome) => !/^(250|4\d\d) /.test(outcome))).toEqual([]);
    expect(taken).toBe(messages);
    expect(outcomes.slice(messages, messages + 8)).toEqual(Array(8).fill('500 5.5.2 Line too long'));
    expect(new Set(outcomes.slice(messages + 8))).toEqual(new Set(['413']));
    expect(memory.most).toBeLessThan(boundMib);
    await expect.poll(async () => (await mayfly.call('/readyz')).status).toBe(200);
  },
);

async function sendLarge(port: number, email: string): Promise<string> {
  const client = new SmtpClient(await connectFrom('127.0.0.1', port));
  await client.readReply();
  await client.command('EHLO client.test');
  const replies = await client.startData(email);
  if (!replies.at(-1)?.startsWith('354')) return replies.at(-1) ?? '';
  client.send('Subject: large\r\n\r\n');
  for (let sent = 0; sent < 25 * mib; sent += block.length) {
    if (!client.socket.write(block)) await once(client.socket, 'drain');
  }
  client.send('.\r\n');
  return client.readReply();
}

/** Sends an unterminated command of up to 100 MiB. */
async function sendEndlessLine(port: number): Promise<string> {
  const client = new SmtpClient(await connectFrom('127.0.0.1', port));
  await client.readReply();
  const line = Buffer.alloc(mib, 'x');
  for (let sent = 0; sent < 100 && client.socket.writable; sent++) {
    if (!client.socket.write(line)) await Promise.race([once(client.socket, 'drain'), client.closed]);
    if (client.socket.readableEnded) break;
  }
  const lines = await client.closed;
  client.socket.destroy();
  return lines[0] ?? 'closed';
}

async function postLarge(origin: string): Promise<string> {
  const response = await fetch(`${origin}/create-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prefix: 'x'.repeat(mib) }),
  });
  await response.text();
  return String(response.status);
}
