// The MCP server behind reverse proxies: each caller counts by the address that a trusted proxy names.

import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';

import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { askMcp, initialize, json, type McpHttp, startMcpHttp } from '../support/clients/mcp-http.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';

let mayfly: MayflyProcess;
let key: string;

beforeAll(async () => {
  const folder = await createDataFolder();
  mayfly = await startMayfly(folder.path, { MAYFLY_LIMITS_RATE: 'off' });
  const made = await runMayfly(folder.path, ['key', 'add', 'one']);
  key = /mfk_[\w-]+/.exec(made.stdout)?.[0] ?? '';
  expect(key).not.toBe('');
  return async () => {
    await mayfly.stop('SIGKILL');
    await folder.remove();
  };
});

/** Ended with the test. */
async function startHttp(
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<McpHttp> {
  const started = await startMcpHttp(words, { MAYFLY_URL: mayfly.origin, ...environment });
  onTestFinished(async () => {
    await started.stop();
  });
  return started;
}

it.each([
  ['x-forwarded-for', (address: string) => address],
  ['forwarded', (address: string) => `for=${address}`],
])('counts callers behind a trusted proxy by its %s', async (field, write) => {
  const behind = await startHttp(['--http', '0.0.0.0:0'], {
    MAYFLY_MCP_TRUSTED_PROXIES: '127.0.0.1',
    MAYFLY_MCP_PROXY_HEADER: field,
  });
  const guess = async (address: string, from?: string): Promise<number> =>
    (await askMcp(behind, { key: 'mfk_0', from, fields: { [field]: write(address) } }, initialize)).status;
  const guesses = async (count: number, ...asked: Parameters<typeof guess>): Promise<number[]> => {
    const statuses = [];
    for (let at = 0; at < count; at++) statuses.push(await guess(...asked));
    return statuses;
  };
  // The minute may end in between.
  expect(await guesses(25, '198.51.100.1')).toContain(429);
  expect(await guess('203.0.113.1')).toBe(401);
  // A peer that is no proxy counts as itself, whomever it names.
  expect(await guesses(25, '203.0.113.1', '127.0.9.1')).toContain(429);
  expect(await guess('203.0.113.1')).toBe(401);
  expect(await guess('203.0.113.1', '127.0.9.1')).toBe(429);
});

it('limits the connections of a network, but not those of a trusted proxy', async () => {
  const behind = await startHttp(['--http', '0.0.0.0:0'], { MAYFLY_MCP_TRUSTED_PROXIES: '127.0.0.1' });
  const open = await startHttp(['--http', '0.0.0.0:0']);
  const countOpen = async (process: McpHttp): Promise<number> => {
    const sockets = Array.from({ length: 200 }, () => connectTcp(process.port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on('error', () => socket.destroy());
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    // By then it has heard of all of them.
    await askMcp(process, { key });
    await new Promise((resolve) => setImmediate(resolve));
    return sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  };
  expect(await countOpen(behind)).toBe(200);
  await expect.poll(() => countOpen(open)).toBeLessThan(200);
});

it('requires a key of callers that come through a proxy to loopback', async () => {
  const statusOf = async ({ url }: McpHttp, fields: Record<string, string>): Promise<number> =>
    (await fetch(url, { method: 'POST', headers: { ...json, ...fields }, body: initialize })).status;
  const open = await startHttp(['--http', '0']);
  expect(await statusOf(open, {})).toBe(200);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
    expect([name, await statusOf(open, { [name]: '203.0.113.1' })]).toEqual([name, 401]);
  }
  const behind = await startHttp(['--http', '0'], { MAYFLY_MCP_TRUSTED_PROXIES: '10.0.0.0/8' });
  expect(await statusOf(behind, {})).toBe(401);
  expect(await statusOf(behind, { authorization: `Bearer ${key}` })).toBe(200);
});
