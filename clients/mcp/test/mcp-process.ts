// Runs the built MCP server as a process, with the SDK's client. Records everything that it writes.

import { spawn } from 'node:child_process';
import path from 'node:path';

import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { inject } from 'vitest';

export interface McpProcess {
  readonly client: Client;
  /** Returns everything that it wrote, on both outputs. */
  readonly transcript: () => string;
  /** Returns what it wrote to standard error. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export interface McpOptions {
  readonly url: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly era?: Era;
}

/** `auto` negotiates the protocol of 2026; `legacy` uses the handshake of 2025. */
export type Era = 'auto' | 'legacy';

export async function startMcp({ url, environment = {}, era = 'legacy' }: McpOptions): Promise<McpProcess> {
  const child = spawn(process.execPath, [path.join(inject('mcpDir'), 'main.js')], {
    env: { PATH: process.env['PATH'], MAYFLY_URL: url, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => written.push(bytes));
  const logged: Buffer[] = [];
  child.stderr.on('data', (bytes: Buffer) => {
    written.push(bytes);
    logged.push(bytes);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const client = newClient(era);
  // The framing is the same in both directions.
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  return {
    client,
    transcript: () => Buffer.concat(written).toString('utf8'),
    log: () => Buffer.concat(logged).toString('utf8'),
    close: async () => {
      await client.close();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function newClient(era: Era): Client {
  const options = era === 'auto' ? ({ versionNegotiation: { mode: 'auto' } } as const) : {};
  return new Client({ name: 'test', version: '1.0.0' }, options);
}

/** Connects over HTTP. The caller closes the client. */
export async function connectHttp(
  url: string,
  { key, era }: { readonly key: string | undefined; readonly era: Era },
): Promise<Client> {
  const client = newClient(era);
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Lets the client start the command, as desktop programs do. The caller closes the client. */
export async function connectCommand(file: string, environment: Record<string, string>): Promise<Client> {
  const client = newClient('legacy');
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [file], env, stderr: 'ignore' }),
  );
  return client;
}

/** Calls a tool and returns the fields of its answer. @throws Error with its text when the tool failed */
export async function callTool(
  { client }: Pick<McpProcess, 'client'>,
  name: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: { ...parameters } });
  if (result.isError === true) throw new Error(textOf(result));
  return result.structuredContent as Record<string, unknown>;
}

export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
