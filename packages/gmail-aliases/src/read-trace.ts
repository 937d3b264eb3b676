// Reads the facts that the account's own server recorded in a message's header on arrival: recipient, sender,
// transport. Everything below the server's own Received field was chosen by
// the sender.

import { isIP } from 'node:net';

import type { RawField } from '@mayfly/mail-reader/header';
import { type Address, parseMailbox, parseSender } from '../../mail-receiver/src/address.ts';

/** Longer than any server's Received field. */
const receivedMaxChars = 2000;

/** The host that handed the message to the server. */
export interface Remote {
  /** Empty when unknown, as is `helo`. */
  readonly remoteAddress: string;
  readonly helo: string;
  /** TLS version and cipher; null for a plain connection. */
  readonly tls: string | null;
}

/** Used when no trustworthy field names the host. */
export const unknownRemote: Remote = { remoteAddress: '', helo: '', tls: null };

export interface Trace {
  /** The fields above the sender's own: up to the server's Received field, or all if there is none. */
  readonly trusted: readonly RawField[];
  /** From the Received field's `for` (RFC 5321 §4.4), which servers omit when there are several recipients. */
  readonly receivedFor: Address | undefined;
  readonly remote: Remote;
  /** From the Return-Path above it; null for `<>` and when there is none. */
  readonly mailFrom: string | null;
}

/** The entry hop is the topmost with `from`: Gmail's inner hops have only `by`. */
export function readTrace(fields: readonly RawField[]): Trace {
  const at = fields.findIndex(
    ({ name, value }) => name.toLowerCase() === 'received' && /^from\s/i.test(value),
  );
  const hop = (fields[at]?.value ?? '').slice(0, receivedMaxChars);
  const trusted = at < 0 ? fields : fields.slice(0, at);
  return {
    trusted,
    receivedFor: readFor(hop),
    remote: at < 0 ? unknownRemote : readRemote(hop),
    mailFrom: readReturnPath(trusted),
  };
}

/** Returns the value of the topmost field of this name. */
export function findTopmost(fields: readonly RawField[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name)?.value;
}

/** Parses a lone address, with or without angle brackets; undefined for anything else. */
export function readPath(value: string): Address | undefined {
  return parseMailbox(withoutBrackets(value));
}

function withoutBrackets(value: string): string {
  const text = value.trim();
  return text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text;
}

/** Reads only after `by`, since what precedes it came from the client. */
function readFor(hop: string): Address | undefined {
  const clauses = withoutComments(hop).split(';', 1)[0] ?? '';
  const by = /\sby\s/i.exec(clauses);
  const match = by && /\sfor\s+(<[^<>\s]+>|[^<>\s]+)/i.exec(clauses.slice(by.index));
  return match?.[1] === undefined ? undefined : readPath(match[1]);
}

function readRemote(hop: string): Remote {
  const by = /\sby\s/i.exec(hop);
  const client = by ? hop.slice(0, by.index) : hop;
  const address = /\[(?:IPv6:)?([0-9A-Fa-f.:]{3,45})\][^[\]]*$/.exec(client)?.[1] ?? '';
  const tls = by && /\bversion=([\w.]{1,20})\s+cipher=([\w-]{1,80})/.exec(hop.slice(by.index));
  return {
    remoteAddress: isIP(address) === 0 ? '' : address.toLowerCase(),
    helo: /^from\s+([\x21-\x7e]{1,255})/i.exec(client)?.[1] ?? '',
    tls: tls ? `${tls[1] ?? ''} ${tls[2] ?? ''}` : null,
  };
}

function readReturnPath(trusted: readonly RawField[]): string | null {
  const value = findTopmost(trusted, 'return-path');
  const address = value === undefined ? undefined : parseSender(withoutBrackets(value));
  return address ? `${address.localPart}@${address.domain}` : null;
}

/** Runs in one pass; an unclosed comment extends to the end. */
function withoutComments(text: string): string {
  let depth = 0;
  let plain = '';
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')' && depth > 0) depth -= 1;
    else if (depth === 0) plain += char;
  }
  return plain;
}
