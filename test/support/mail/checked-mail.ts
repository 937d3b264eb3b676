// Sends mail to the built service with nodemailer, and returns what read-mail reports of its origin.

import { createTransport } from 'nodemailer';

import type { Lent, MayflyProcess } from '../service/mayfly-process.ts';
import { comeAgain } from '../faults/come-again.ts';

interface Check {
  readonly domain: string | null;
  readonly reason: string | null;
}

export interface Checked {
  readonly id: number;
  readonly authentication: Readonly<Record<'spf' | 'dkim' | 'dmarc' | 'arc', string | null>>;
  readonly authentication_details: {
    readonly spf: Check;
    readonly dkim: Check & { readonly signatures: readonly object[] };
    readonly dmarc: Check & { readonly policy: string | null };
    readonly arc: Check;
  };
  readonly authentication_doubt: string | null;
}

export interface Envelope {
  readonly from?: string;
  readonly to: string | readonly string[];
  readonly helo?: string;
}

export async function send(
  mayfly: MayflyProcess,
  raw: string,
  { from = '', to, helo = 'client.example' }: Envelope,
): Promise<void> {
  const options = { host: '127.0.0.1', port: mayfly.smtpPort, name: helo, ignoreTLS: true };
  await comeAgain(() => createTransport(options).sendMail({ envelope: { from, to: [to].flat() }, raw }));
}

/** Returns the reply that refuses the message; undefined if it is accepted. */
export async function refusalOf(
  mayfly: MayflyProcess,
  raw: string,
  envelope: Envelope,
): Promise<string | undefined> {
  try {
    await send(mayfly, raw, envelope);
    return undefined;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  }
}

export async function readNewest(mayfly: MayflyProcess, { token }: Lent): Promise<Checked> {
  const [newest] = await mayfly.checkMail(token);
  if (!newest) throw new Error('No mail has come.');
  return (await mayfly.readMail(token, newest.id)) as unknown as Checked;
}

export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  return { value: await work(), ms: performance.now() - startedAt };
}

/** Reads repeatedly until the result is as wished. */
export async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isReached(value)) return value;
  }
}
