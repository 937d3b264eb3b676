// The command mayfly-mcp. Standard input and output carry the protocol; its own messages go to standard error and only
// name kinds of events, never the contents of a mail or a request.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpServer } from '@modelcontextprotocol/server';

import type { Caller } from './caller.ts';
import { Callers } from './callers.ts';
import { type CommandLine, readCommandLine, usage, UsageError } from './command-line.ts';
import { startHttpServer } from './http-server.ts';
import { createMcpServer } from './mcp-server.ts';
import { nameOf } from './tool-answer.ts';
import { version } from './version.ts';
import { VisibleReader } from './visible-reader.ts';

const messageMaxBytes = 64 * 1024;

function log(event: string): void {
  process.stderr.write(`mayfly-mcp: ${event}\n`);
}

/** Ends when standard input does. */
function runOnStdio(caller: Caller, createServer: (caller: Caller) => McpServer): void {
  serveStdio(() => createServer(caller), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: messageMaxBytes }),
    maxSubscriptions: 10,
    onerror: (error) => {
      log(`protocol: ${nameOf(error)}`);
    },
  });
}

async function run({ url, secret, apiKey, http, allowedHosts, proxies }: CommandLine): Promise<void> {
  const callers = new Callers({ url, secret });
  const reader = new VisibleReader();
  const createServer = (caller: Caller): McpServer => createMcpServer({ caller, reader, log });
  if (http === undefined) {
    runOnStdio(callers.get(apiKey), createServer);
    return;
  }
  const server = await startHttpServer({
    ...http,
    serviceUrl: url,
    allowedHosts,
    proxies,
    apiKey,
    callers,
    createServer,
    log,
  });
  process.stdout.write(`ready ${server.url}\n`);
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(`could not stop: ${nameOf(error)}`);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  const command = readCommandLine(process.argv.slice(2), process.env);
  // Otherwise the client would use it for callers without a key.
  delete process.env['MAYFLY_API_KEY'];
  if (command.asks === 'help') process.stdout.write(usage);
  else if (command.asks === 'version') process.stdout.write(`${version}\n`);
  else await run(command);
} catch (error) {
  log(error instanceof UsageError ? error.message : `could not start: ${toReason(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Returns a code such as EADDRINUSE. */
function toReason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : nameOf(error);
}
