// The trace fields a receiver adds to a message: Return-Path and Received (RFC 5321 §4.4). Generated from stored
// metadata when the raw message is read, so that the stored bytes remain exactly those received.

import type { MessageMeta } from '../../domain/message.ts';

interface Stamp {
  readonly hostname: string;
  /** ms since 1970. */
  readonly at: number;
}

/** Removes what could end the line or the comment, since domains and comments come from the sender. */
function plain(text: string): string {
  return text.slice(0, 255).replace(/[^\x20-\x7e]|[()\\]/g, '?');
}

/**
 * The path was validated on arrival; this guarantees that it cannot add a field, even for a future receiving protocol.
 */
function oneLine(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029]/gu, '?');
}

function formatDate(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000');
}

/**
 * Returns both fields with their line ends; none for a message that a Gmail account's server has traced already. `for`
 * appears only with a single recipient (RFC 5321 §7.6).
 */
export function traceFields({ envelope, source, ingestId }: MessageMeta, { hostname, at }: Stamp): string {
  if (source.protocol === 'IMAP') return '';
  const [first, ...others] = envelope.rcptTo;
  const clauses = [
    `from ${plain(source.helo).replaceAll(' ', '?') || 'unknown'}${formatRemote(source.remoteAddress)}`,
    `by ${hostname} with ${source.protocol}${comment(source.tls)} id ${ingestId}${comment(source.connection)}`,
    ...(first !== undefined && others.length === 0 ? [`for <${oneLine(first)}>`] : []),
  ];
  return `Return-Path: <${oneLine(envelope.mailFrom ?? '')}>\r\nReceived: ${clauses.join('\r\n\t')};\r\n\t${formatDate(at)}\r\n`;
}

function comment(text: string | null | undefined): string {
  return text === null || text === undefined ? '' : ` (${plain(text)})`;
}

/** An address literal (RFC 5321 §4.1.3) in a comment; nothing where the address is unknown. */
function formatRemote(address: string): string {
  if (address === '') return '';
  return address.includes(':') ? ` ([IPv6:${address}])` : ` ([${address}])`;
}
