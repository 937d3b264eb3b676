// The MCP server over HTTP as a process, and requests to it without its client.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import path from 'node:path';

import { inject, onTestFinished } from 'vitest';

export interface McpHttp {
  readonly url: string;
  readonly port: number;
  readonly transcript: () => string;
  readonly stop: () => Promise<unknown>;
}

/** @param environment with MAYFLY_URL */
export async function startMcpHttp(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<McpHttp> {
  const child = spawn(process.execPath, [path.join(inject('mcpDir'), 'main.js'), ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      const ready = /^ready (\S+)\n/.exec(written)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('exit', (code) => {
      reject(new Error(`It ended with ${code}: ${written}`));
    });
  });
  const exited = once(child, 'exit');
  return {
    url,
    port: Number(new URL(url).port),
    transcript: () => written,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0] as unknown;
    },
  };
}

export const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

export interface AskedMcp {
  readonly key?: string;
  readonly from?: string | undefined;
  readonly method?: 'GET' | 'POST';
  readonly session?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Resolves when the header has come; a stream stays open until the test has ended. */
export function askMcp(
  { port }: Pick<McpHttp, 'port'>,
  { key, from = '127.0.0.1', method = 'POST', session, fields = {} }: AskedMcp,
  body = initialize,
) {
  return new Promise<{ status: number; session: string }>((resolve, reject) => {
    const headers = {
      ...json,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
      ...fields,
    };
    const place = { host: '127.0.0.1', port, path: '/mcp', localAddress: from };
    const request = httpRequest({ ...place, method, headers, agent: false }, (answer) => {
      const id = answer.headers['mcp-session-id'];
      resolve({ status: answer.statusCode ?? 0, session: String(id ?? '') });
      answer.resume();
    });
    onTestFinished(() => {
      request.destroy();
    });
    request.once('error', reject);
    request.end(method === 'GET' ? undefined : body);
  });
}
