// What operator commands ask of a running service: one JSON line each way over a socket in the data folder, which
// only its owner can open (mode 0600). Shared by the two ends.

import { join, relative } from 'node:path';

import { type OperatorRequest, parseOperatorRequest } from './operator-commands.ts';
import { type GmailRequest, parseGmailRequest } from './gmail-requests.ts';
import { parseWebhookRequest, type WebhookRequest } from './webhook-commands.ts';

export type ControlRequest =
  | {
      readonly command: 'domain-add';
      readonly name: string;
      readonly quarantineSeconds?: number | undefined;
      readonly refusesDmarcReject?: boolean | undefined;
      readonly discardsUnknown?: boolean | undefined;
    }
  | { readonly command: 'domain-list' | 'store-copy' }
  | { readonly command: 'domain-disable' | 'domain-remove'; readonly name: string }
  | WebhookRequest
  | OperatorRequest
  | GmailRequest;

export type ControlResponse =
  { readonly ok: true; readonly lines: readonly string[] } | { readonly ok: false; readonly message: string };

/** Runs a command where the store is open. */
export type ExecuteControl = (request: ControlRequest) => Promise<ControlResponse>;

/** Longest line either end reads. */
export const controlLineMaxBytes = 1024 * 1024;

/** What every system takes as a socket's path; libuv cuts longer ones without a word. */
const socketPathMaxBytes = 103;

/**
 * Path of the socket, from here or from the root, whichever is shorter.
 * @throws Error when it is too long for a socket
 */
export function controlSocketPath(dataDir: string): string {
  const path = join(dataDir, 'mayfly.sock');
  const fromHere = relative(process.cwd(), path);
  const shorter = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(shorter) <= socketPathMaxBytes) return shorter;
  throw new Error(
    `The path of the data folder ${dataDir} is too long for the control socket in it: ` +
      `with /mayfly.sock it may have ${socketPathMaxBytes} bytes, or as many from the current folder.`,
  );
}

/**
 * Parses a line from the socket; undefined when it is no request of this version.
 */
export function parseControlRequest(line: string): ControlRequest | undefined {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null) return undefined;
  const { command, name, quarantineSeconds, refusesDmarcReject, discardsUnknown } = value as Record<
    string,
    unknown
  >;
  switch (command) {
    case 'domain-list':
    case 'store-copy':
      return { command };
    case 'domain-disable':
    case 'domain-remove':
      return typeof name === 'string' ? { command, name } : undefined;
    case 'domain-add':
      if (typeof name !== 'string') return undefined;
      if (quarantineSeconds !== undefined && !isSeconds(quarantineSeconds)) return undefined;
      if (!isFlag(refusesDmarcReject) || !isFlag(discardsUnknown)) return undefined;
      return {
        ...{ command, name },
        ...(quarantineSeconds === undefined ? {} : { quarantineSeconds }),
        ...(refusesDmarcReject === undefined ? {} : { refusesDmarcReject }),
        ...(discardsUnknown === undefined ? {} : { discardsUnknown }),
      };
    default:
      return (
        parseWebhookRequest(command, (value as { id?: unknown }).id) ??
        parseOperatorRequest(value as Record<string, unknown>) ??
        parseGmailRequest(value as Record<string, unknown>)
      );
  }
}

function isFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean';
}

function isSeconds(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999_999_999;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
