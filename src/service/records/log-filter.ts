// Tests by which the operator searches the records of mail: by host, by sender's domain and by time.

import { doBlocksOverlap, normaliseBlock } from '#networks/network-set';
import { senderDomainOf } from './sender-domain.ts';

/** All records are wanted by what is absent or empty. */
export interface LogFilter {
  /** An address, a block, the beginning of an address, or a name with those below it. */
  readonly host?: string | undefined;
  /** A domain with those below it. */
  readonly sender?: string | undefined;
  /** ms since 1970; both inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export interface LoggedHost {
  /** Addresses and blocks. */
  readonly networks: readonly string[];
  /** As the host called itself; empty when unknown. */
  readonly helo: string;
}

export function createHostTest(wanted = ''): (host: LoggedHost) => boolean {
  const text = wanted.trim().toLowerCase();
  if (text === '') return () => true;
  const block = normaliseBlock(text);
  if (block !== undefined) return ({ networks }) => networks.some((one) => doBlocksOverlap(one, block));
  const stem = /[.:]$/.test(text) ? text : `${text}${text.includes(':') ? ':' : '.'}`;
  return ({ networks, helo }) =>
    networks.some((one) => one.startsWith(stem)) || isWithin(helo.toLowerCase(), text);
}

/** A record without a sender has null. */
export function createSenderTest(wanted = ''): (domain: string | null) => boolean {
  const text = wanted.trim().replace(/\.$/, '');
  if (text === '') return () => true;
  const domain = senderDomainOf(text);
  return (own) => own !== null && isWithin(own, domain);
}

/** Timestamps are shown in whole seconds: all of the last one counts. */
export function isInTime(
  { since, until }: Pick<LogFilter, 'since' | 'until'>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  return (since === undefined || to >= since) && (until === undefined || from < until + 1000);
}

function isWithin(name: string, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`);
}
