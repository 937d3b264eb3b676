// Divides the file descriptors of the process, so that one listener cannot use up those of the other or of the store.

import { readFileSync } from 'node:fs';
import { codeOf } from '#system-errors/error-code';

/** For the store, logs, threads, webhooks, DNS and everything else. */
const reserve = 256;
/** An incoming message may have a scratch file besides its connection. */
const perSmtpConnection = 2;

export interface Wanted {
  /** The most connections by the settings; 0 without such a listener. */
  readonly http: number;
  readonly smtp: number;
}

/**
 * Returns how many of the wanted connections fit; each listener gets at least half of the limit if it wants that many.
 */
export function shareDescriptors({ http, smtp }: Wanted, limit: number): Wanted {
  const rest = limit - Math.min(reserve, Math.floor(limit / 4));
  const half = Math.floor(rest / 2);
  return {
    http: Math.min(http, Math.max(half, rest - smtp * perSmtpConnection)),
    smtp: Math.min(smtp, Math.floor(Math.max(half, rest - http) / perSmtpConnection)),
  };
}

/** Returns how many descriptors this process may have open; Infinity when unknown. */
export function readDescriptorLimit(): number {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch (error) {
    // Only Linux reports it.
    if (codeOf(error) === 'ENOENT') return Infinity;
    throw error;
  }
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? Infinity : Number(soft);
}
