// Who may have how many file descriptors: the kernel gives a process so many, and a listener that takes them all leaves
// none for the other one, nor for the store. Used by app.ts when the listeners start.

import { readFileSync } from 'node:fs';

/** For the store, logs, threads, webhooks, look-ups and whatever else opens something. */
const reserve = 256;
/** A message on its way in may have a scratch file beside its connection. */
const perSmtpConnection = 2;

export interface Wanted {
  /** Connections that the settings allow; 0 where the node has no such listener. */
  readonly http: number;
  readonly smtp: number;
}

/** What of them there is room for: at least half of it for each that wants it. */
export function shareDescriptors({ http, smtp }: Wanted, limit: number): Wanted {
  const rest = limit - Math.min(reserve, Math.floor(limit / 4));
  const half = Math.floor(rest / 2);
  return {
    http: Math.min(http, Math.max(half, rest - smtp * perSmtpConnection)),
    smtp: Math.min(smtp, Math.floor(Math.max(half, rest - http) / perSmtpConnection)),
  };
}

/** How many this process may have open; Infinity where that is not known. */
export function readDescriptorLimit(): number {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch (error) {
    // Only Linux tells.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Infinity;
    throw error;
  }
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
