// The MCP server over HTTP, in front of the built service: access, ownership and limits.

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';

import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { callTool, connectHttp, type Era } from '../../clients/mcp/test/mcp-process.ts';
import { askMcp, type AskedMcp, json, type McpHttp, startMcpHttp } from '../support/clients/mcp-http.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';

let mayfly: MayflyProcess;
let mcp: McpHttp;
const keys: string[] = [];

function startHttp(words: readonly string[], environment: Record<string, string> = {}): Promise<McpHttp> {
  return startMcpHttp(words, { MAYFLY_URL: mayfly.origin, ...environment });
}

beforeAll(async () => {
  const folder = await createDataFolder();
  mayfly = await startMayfly(folder.path, { MAYFLY_LIMITS_RATE: 'off' });
  for (const name of ['one', 'two']) {
    const made = await runMayfly(folder.path, ['key', 'add', name]);
    const [key] = /mfk_[\w-]+/.exec(made.stdout) ?? [];
    if (key === undefined) throw new Error(`No key: ${made.stdout}${made.stderr}`);
    keys.push(key);
  }
  mcp = await startHttp(['--http', '0']);
  return async () => {
    await mcp.stop();
    await mayfly.stop('SIGKILL');
    await folder.remove();
  };
});

async function connect(key?: string, era: Era = 'legacy', url = mcp.url) {
  const client = await connectHttp(url, { key, era });
  onTestFinished(() => client.close());
  return { client };
}

/** Sends a request like a browser or a stranger. */
function post(headers: Record<string, string>, body: string, { method = 'POST', place = '/mcp' } = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: mcp.port, path: place, method, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.once('close', () => {
          resolve({ status: answer.statusCode ?? 0, text });
        });
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

describe.each(['legacy', 'auto'] as const)('a client of the %s protocol', (era) => {
  it('creates an inbox, waits with progress, and ends it', async () => {
    const one = await connect(keys[0], era);
    const { handle } = (await callTool(one, 'create_inbox')) as { handle: string };
    const seen: number[] = [];
    const waited = await one.client.callTool(
      { name: 'wait_for_code', arguments: { handle, timeout_seconds: 3 } },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(waited.structuredContent).toMatchObject({ found: false });
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await callTool(one, 'end_inbox', { handle })).toEqual({ ended: true });
  });

  it('ends a wait that it cancels', async () => {
    const one = await connect(keys[0], era);
    const { handle } = (await callTool(one, 'create_inbox')) as { handle: string };
    // Waits that continued would add up to too many calls at once.
    for (let round = 0; round < 22; round++) {
      const cancelling = new AbortController();
      const waiting = one.client.callTool(
        { name: 'wait_for_code', arguments: { handle, timeout_seconds: 50 } },
        {
          signal: cancelling.signal,
          onprogress: () => {
            cancelling.abort(new Error('enough'));
          },
        },
      );
      await expect(waiting).rejects.toThrow(/enough|abort/i);
    }
    expect(await callTool(one, 'end_inbox', { handle })).toEqual({ ended: true });
  });

  it('accepts no handle of another key, or of none', async () => {
    const [one, two, none] = [
      await connect(keys[0], era),
      await connect(keys[1], era),
      await connect(undefined, era),
    ];
    const { handle } = (await callTool(one, 'create_inbox')) as { handle: string };
    const texts = await Promise.all(
      [two, none].flatMap((other) =>
        ['list_messages', 'delivery_log', 'wait_for_code', 'wait_for_link', 'end_inbox'].map((name) =>
          callTool(other, name, { handle }).then(String, String),
        ),
      ),
    );
    expect(new Set(texts)).toEqual(
      new Set([expect.stringMatching(/^Error: unknown_handle: This handle is not valid here/)]),
    );
    await expect(two.client.readResource({ uri: `mayfly://inbox/${handle}` })).rejects.toThrow(
      /unknown_handle/,
    );
    expect(await callTool(one, 'end_inbox', { handle })).toEqual({ ended: true });
  });
});

it('counts inboxes by key, over all connections, and frees the places of ended ones', async () => {
  const connections = [await connect(keys[1]), await connect(keys[1], 'auto')];
  const made = await Promise.allSettled(
    Array.from({ length: 15 }, (_, at) => callTool(connections[at % 2]!, 'create_inbox')),
  );
  const handles = made.flatMap((each) => (each.status === 'fulfilled' ? [String(each.value['handle'])] : []));
  expect(handles).toHaveLength(10);
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(new Set(refused)).toEqual(new Set([expect.stringMatching(/^Error: too_many_inboxes: /)]));
  const other = await connect(keys[0]);
  const { handle: others } = await callTool(other, 'create_inbox');
  await callTool(other, 'end_inbox', { handle: others });
  await callTool(connections[0]!, 'end_inbox', { handle: handles[0] });
  const { handle } = await callTool(connections[1]!, 'create_inbox');
  for (const each of [...handles.slice(1), String(handle)]) {
    await callTool(connections[0]!, 'end_inbox', { handle: each });
  }
});

describe('a request', () => {
  it.each([
    ['with the Host of a rebound name', { host: 'evil.example' }, 403],
    ['of a page of another site', { origin: 'https://evil.example' }, 403],
    ['of an opaque origin', { origin: 'null' }, 403],
    ['with a key that is none', { authorization: 'Basic YTpi' }, 401],
    ['of a session of no one', { 'mcp-session-id': '1234' }, 404],
    ['of no session', {}, 400],
  ])('%s is refused', async (_, headers, status) => {
    expect((await post({ ...json, ...headers }, ping)).status).toBe(status);
  });

  it('elsewhere, of another type or too large is refused', async () => {
    expect((await post(json, ping, { place: '/' })).status).toBe(404);
    expect((await post(json, ping, { place: '//evil.example/mcp' })).status).toBe(404);
    expect((await post({ ...json, 'content-type': 'text/plain' }, ping)).status).toBe(415);
    // The response may be lost with the connection, which had more to receive.
    const large = await post(json, JSON.stringify({ x: 'y'.repeat(70_000) })).catch((error: unknown) => {
      expect(String(error)).toMatch(/ECONNRESET|EPIPE|hang up/);
      return { status: 413 };
    });
    expect(large.status).toBe(413);
  });

  it('on a session of another key is refused like an unknown one', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const session = await fetch(mcp.url, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${keys[0]}` },
      body: JSON.stringify(initialize),
    });
    const id = session.headers.get('mcp-session-id') ?? '';
    expect(id).not.toBe('');
    await session.text();
    const status = async (key: string): Promise<number> => {
      const answer = await post({ ...json, 'mcp-session-id': id, authorization: `Bearer ${key}` }, ping);
      return answer.status;
    };
    expect([await status(keys[1]!), await status(keys[0]!)]).toEqual([404, 200]);
  });
});

it('holds a limited number of sessions, and drops the one idle for longest', async () => {
  const begin = async (): Promise<string> => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},' +
      '"clientInfo":{"name":"x","version":"1"}}}';
    const answer = await fetch(mcp.url, { method: 'POST', headers: json, body });
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const ids: string[] = [];
  for (let at = 0; at < 25; at++) ids.push(await begin());
  const statuses = await Promise.all(
    ids.map(async (id) => (await post({ ...json, 'mcp-session-id': id }, ping)).status),
  );
  expect(statuses).toEqual([...Array<number>(5).fill(404), ...Array<number>(20).fill(200)]);
});

it('requires a key of every caller where strangers can connect', async () => {
  const open = await startHttp(['--http', '0.0.0.0:0'], { MAYFLY_API_KEY: keys[0]! });
  const url = `http://127.0.0.1:${open.port}/mcp`;
  try {
    expect((await fetch(url, { method: 'POST', headers: json, body: ping })).status).toBe(401);
    const one = await connect(keys[1], 'auto', url);
    const { handle } = await callTool(one, 'create_inbox');
    await callTool(one, 'end_inbox', { handle });
    for (const era of ['legacy', 'auto'] as const) {
      await expect(connect('mfk_wrong', era, url)).rejects.toThrow(/401|API key|Unauthorized/i);
    }
  } finally {
    expect(await open.stop()).toBe(0);
  }
});

describe('beyond loopback', () => {
  let open: McpHttp;

  beforeEach(async () => {
    open = await startHttp(['--http', '0.0.0.0:0']);
    return () => open.stop();
  });

  const ask = (asked: AskedMcp, body?: string): ReturnType<typeof askMcp> => askMcp(open, asked, body);

  it('keeps nothing for made-up keys, so that an honest caller keeps its session', async () => {
    const honest = await ask({ key: keys[0]!, from: '127.0.9.1' });
    const statuses = new Set<number>();
    for (let at = 0; at < 200; at++) {
      statuses.add((await ask({ key: `mfk_${at % 6}`, from: `127.0.8.${1 + (at % 9)}` })).status);
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    const { session } = honest;
    expect((await ask({ key: keys[0]!, from: '127.0.9.1', session }, ping)).status).toBe(200);
    // A right key is served from a network whose wrong ones are refused unasked, once it has been found right.
    expect((await ask({ key: keys[0]!, from: '127.0.8.1', session }, ping)).status).toBe(200);
  });

  it('serves others, and new sessions, while one caller holds many streams', async () => {
    const held: number[] = [];
    for (let at = 0; at < 110; at++) {
      const { status, session } = await ask({ key: keys[0]! });
      held.push(status);
      held.push((await ask({ key: keys[0]!, method: 'GET', session })).status);
    }
    expect(new Set(held)).toEqual(new Set([200]));
    expect((await ask({ key: keys[1]! })).status).toBe(200);
    expect((await ask({ key: keys[0]! })).status).toBe(200);
  });

  it('accepts new connections while one network keeps many idle', async () => {
    const idle = Array.from({ length: 300 }, () => connectTcp(open.port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of idle) socket.destroy();
    });
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect((await ask({ key: keys[0]! })).status).toBe(200);
    expect((await ask({ key: keys[1]!, from: '127.0.9.1' })).status).toBe(200);
  });
});

it('keeps handles across a restart with a secret, and not without one', async () => {
  const secret = { MAYFLY_MCP_SECRET: 'a secret of more than 32 characters' };
  for (const [environment, keeps] of [
    [secret, true],
    [{}, false],
  ] as const) {
    const before = await startHttp(['--http', '0'], environment);
    const { handle } = await callTool(await connect(keys[0], 'auto', before.url), 'create_inbox');
    await before.stop();
    const after = await startHttp(['--http', '0'], environment);
    const listed = callTool(await connect(keys[0], 'auto', after.url), 'list_messages', { handle });
    if (keeps) expect(await listed).toMatchObject({ total: 0 });
    else await expect(listed).rejects.toThrow(/^unknown_handle: /);
    await after.stop();
  }
});

it('reveals nothing of keys and tokens', () => {
  expect(mcp.transcript()).not.toMatch(/mf_|mfk_|mbox_/);
});
