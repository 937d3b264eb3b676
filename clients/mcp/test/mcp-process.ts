// The built MCP server as a process of its own, spoken to by the SDK's client. Every byte that it writes is kept.

import { spawn } from 'node:child_process';
import path from 'node:path';

import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { inject } from 'vitest';

export interface McpProcess {
  readonly client: Client;
  /** Everything that it wrote, on both outputs. */
  readonly transcript: () => string;
  /** What it wrote to standard error. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

export interface McpOptions {
  readonly url: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The protocol of 2026 where it is `auto`, else the handshake of 2025. */
  readonly era?: 'auto' | 'legacy';
}

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
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  // The same frames in either direction.
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

/** Fields of a tool's answer. @throws Error with its text when the tool failed */
export async function callTool(
  { client }: Pick<McpProcess, 'client'>,
  name: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: { ...parameters } });
  if (result.isError === true) throw new Error(textOf(result));
  return result.structuredContent as Record<string, unknown>;
}

export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
