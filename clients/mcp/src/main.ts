// The command mayfly-mcp: an MCP server on standard input and output. Standard output belongs to the protocol.

import { randomBytes } from 'node:crypto';

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

import { Caller } from './caller.ts';
import { createMcpServer } from './mcp-server.ts';
import { nameOf } from './tool-answer.ts';
import { VisibleReader } from './visible-reader.ts';

const messageMaxBytes = 64 * 1024;

function log(event: string): void {
  process.stderr.write(`mayfly-mcp: ${event}\n`);
}
const url = process.env['MAYFLY_URL'] ?? 'http://127.0.0.1:8080';
const apiKey = process.env['MAYFLY_API_KEY'];
delete process.env['MAYFLY_API_KEY'];
const caller = new Caller({ url, secret: randomBytes(32) }, apiKey);
const parts = { caller, log, reader: new VisibleReader() };
serveStdio(() => createMcpServer(parts, '0.1.0'), {
  transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageMaxBytes }),
  onerror: (error) => {
    log(`protocol: ${nameOf(error)}`);
  },
});
