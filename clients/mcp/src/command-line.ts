// Reads the command line and the environment. Errors name what is wrong, and quote no secret.

import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

import type { ProxySettings } from '#networks/client-address';
import { parseBlock } from '#networks/public-address';

export const usage = `mayfly-mcp: an MCP server for a Mayfly service

  mayfly-mcp                       on standard input and output
  mayfly-mcp --http [HOST:]PORT    streamable HTTP at /mcp, on 127.0.0.1 unless HOST says otherwise; port 0: a free one
      --allow-host NAME            a name in Host or Origin that is not refused, as behind a proxy; may be repeated
  mayfly-mcp --version

Environment:
  MAYFLY_URL           of the service; http://127.0.0.1:8080 when absent
  MAYFLY_API_KEY       of callers that give none
  MAYFLY_MCP_SECRET    at least 32 characters, from which handles are made; without it they end with the process
  MAYFLY_MCP_TRUSTED_PROXIES
                       addresses and blocks of reverse proxies trusted to name the client, separated by commas; limits
                       count the proxy itself until it is named here
  MAYFLY_MCP_PROXY_HEADER
                       the field in which they do: x-forwarded-for (when absent) or forwarded
`;

/** Printed to the user of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface CommandLine {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly secret: Uint8Array;
  readonly http: { readonly host: string; readonly port: number } | undefined;
  readonly allowedHosts: readonly string[];
  readonly proxies: ProxySettings;
  readonly asks: 'help' | 'version' | undefined;
}

const secretMinChars = 32;

/** @throws UsageError */
export function readCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { http, help, version, 'allow-host': allowedHosts = [] } = parseWords(words);
  const given = (name: string): string | undefined =>
    environment[name] === '' ? undefined : environment[name];
  const bad = allowedHosts.find((name) => !/^[a-z0-9.-]{1,253}$|^\[[0-9a-f:]+\]$/.test(name));
  if (bad !== undefined) throw new UsageError('--allow-host takes a name in lower case, without a port');
  return {
    url: readUrl(given('MAYFLY_URL') ?? 'http://127.0.0.1:8080'),
    apiKey: given('MAYFLY_API_KEY'),
    secret: readSecret(given('MAYFLY_MCP_SECRET')),
    http: http === undefined ? undefined : readAddress(http),
    allowedHosts,
    proxies: readProxies(given('MAYFLY_MCP_TRUSTED_PROXIES'), given('MAYFLY_MCP_PROXY_HEADER')),
    asks: help === true ? 'help' : version === true ? 'version' : undefined,
  };
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        http: { type: 'string' },
        'allow-host': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The words are not understood.');
  }
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('MAYFLY_URL is no http or https URL');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('MAYFLY_URL has a user name or password');
  }
  if (url.search !== '' || url.hash !== '') throw new UsageError('MAYFLY_URL has a query or fragment');
  return url.href.replace(/\/+$/, '');
}

function readSecret(text: string | undefined): Uint8Array {
  if (text === undefined) return randomBytes(32);
  if (text.length < secretMinChars) {
    throw new UsageError(`MAYFLY_MCP_SECRET has fewer than ${secretMinChars} characters`);
  }
  return Buffer.from(text);
}

function readProxies(proxies = '', header = 'x-forwarded-for'): ProxySettings {
  const trustedProxies = proxies
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '');
  if (!trustedProxies.every((block) => parseBlock(block))) {
    throw new UsageError('MAYFLY_MCP_TRUSTED_PROXIES takes IP addresses and blocks such as 10.0.0.0/8');
  }
  if (header !== 'x-forwarded-for' && header !== 'forwarded') {
    throw new UsageError('MAYFLY_MCP_PROXY_HEADER is x-forwarded-for or forwarded');
  }
  return { trustedProxies, proxyHeader: header };
}

function readAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits = ''] =
    /^(?:(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) throw new UsageError('--http takes PORT or HOST:PORT');
  return { host: bracketed ?? plain ?? '127.0.0.1', port };
}
