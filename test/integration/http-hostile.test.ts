// Hostile requests: each gets JSON in the catalogue's form or nothing, and the next one is served.
import { connect, type Socket } from 'node:net';

import { expect, it } from 'vitest';

import { type ErrorCode, errorCatalogue } from '../../src/domain/error-catalogue.ts';
import {
  allOperations,
  ask,
  type Harness,
  parseRawAnswer,
  postJson,
  speak,
  startHttp,
  type Untyped,
} from './http-harness.ts';
import { override } from '../support/override.ts';

const hasty = { headersMs: 300, requestMs: 600, keepAliveMs: 1000, silenceMs: 5000, checkMs: 50 };

function expectFailure(answer: { status: number; json: Untyped }, code: ErrorCode): void {
  expect(answer.json).toMatchObject({
    status: 'error',
    code,
    message: expect.any(String),
    request_id: expect.any(String),
  });
  expect(answer.status).toBe(errorCatalogue[code].http);
}

async function expectAlive(harness: Harness): Promise<void> {
  expect((await ask(harness, '/healthz')).status).toBe(200);
}

const host = 'Host: localhost\r\n';

it.each<[string, string, ErrorCode]>([
  ['garbage', 'garbage\r\n\r\n', 'malformed_request'],
  ['binary', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 'malformed_request'],
  ['an unknown method', `FROB / HTTP/1.1\r\n${host}\r\n`, 'malformed_request'],
  ['a proxy’s request', `CONNECT example.org:443 HTTP/1.1\r\n${host}\r\n`, 'method_not_allowed'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed_request'],
  ['a version of no HTTP', `GET / HTTP/9.9\r\n${host}\r\n`, 'malformed_request'],
  ['a blank in a field name', `GET / HTTP/1.1\r\nHo st: a\r\n${host}\r\n`, 'malformed_request'],
  [
    'two lengths',
    `POST /create-session HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    'malformed_request',
  ],
  [
    'length and chunks',
    `POST /create-session HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'malformed_request',
  ],
  [
    'a chunk of no size',
    `POST /create-session HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'malformed_request',
  ],
  [
    'a negative length',
    `POST /create-session HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
    'malformed_request',
  ],
  ['no host', 'GET /domains HTTP/1.1\r\nConnection: close\r\n\r\n', 'malformed_request'],
  [
    'two hosts',
    `GET /domains HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`,
    'malformed_request',
  ],
  [
    'a foreign host',
    'GET /domains HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'wrong_host',
  ],
  [
    'a foreign absolute target',
    `GET http://evil.example/domains HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    'wrong_host',
  ],
  ['a large field', `GET / HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
  ['a long target', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 'headers_too_large'],
  [
    '100,000 query parameters',
    `GET /domains?${'a=1&'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`,
    'headers_too_large',
  ],
  [
    'a path that does not decode',
    `GET /%E0%A4%A HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    'malformed_request',
  ],
  ['an asterisk', `GET * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 'malformed_request'],
  [
    'an expectation',
    `GET /nope HTTP/1.1\r\n${host}Expect: miracle\r\nConnection: close\r\n\r\n`,
    'not_found',
  ],
  [
    'an upgrade',
    `GET /nope HTTP/1.1\r\n${host}Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    'not_found',
  ],
  [
    'a path out of the tree',
    `GET /../../etc/passwd HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    'not_found',
  ],
  ['a NUL in the path', `GET /%00 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 'not_found'],
])('answers %s in JSON', async (_what, bytes, code) => {
  const harness = await startHttp({ timeouts: hasty });
  const answer = parseRawAnswer(await speak(harness, Buffer.from(bytes, 'latin1')));
  expectFailure(answer, code);
  expect(answer.headers.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
  expect(answer.headers.toLowerCase()).toContain(`x-request-id: ${answer.json.request_id}`.toLowerCase());
  await expectAlive(harness);
});

it('answers unknown paths and wrong methods of every path, with any body', async () => {
  const harness = await startHttp();
  const headers = { 'content-type': 'text/x-odd' };
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE']) {
    expectFailure(
      await ask(harness, '/no/such/path?token=mf_x', { method, headers, body: 'x' }),
      'not_found',
    );
  }
  for (const { method, path } of allOperations) {
    for (const wrong of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'].filter(
      (one) => one !== method,
    )) {
      const answer = await ask(harness, path, { method: wrong, headers, body: 'x' });
      expectFailure(answer, 'method_not_allowed');
      expect(answer.headers['allow']).toBe(method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS');
    }
    for (const near of [`${path}/`, `${path}x`, path.toUpperCase(), `/${path}`]) {
      expectFailure(await ask(harness, near, { method }), 'not_found');
    }
  }
});

it('refuses 10 MB of JSON on every path, reads it to its end, and keeps its memory', async () => {
  const harness = await startHttp();
  const body = Buffer.from(`{"prefix":"${'x'.repeat(10_000_000)}"}`);
  const headers = { 'content-type': 'application/json' };
  const before = process.memoryUsage().rss;
  for (const { method, path } of allOperations) {
    // A file is not read before the token.
    const refusal = path === '/import' ? 'missing_token' : 'body_too_large';
    const expected = method === 'POST' ? refusal : 'method_not_allowed';
    const answer = await ask(harness, path, { method: 'POST', headers, body });
    expectFailure(answer, expected);
    const chunked = await ask(harness, path, {
      method: 'POST',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
    });
    expectFailure(chunked, expected);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});

it('refuses JSON of 30,000 levels, and takes polluting names and thousands of parameters without harm', async () => {
  const harness = await startHttp();
  const headers = { 'content-type': 'application/json' };
  const send = (body: string) => ask(harness, '/create-session', { method: 'POST', headers, body });
  expectFailure(await send(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), 'malformed_body');
  expectFailure(await send('['.repeat(30_000)), 'malformed_body');
  expect(
    (await send('{"__proto__":{"prefix":"postmaster"},"constructor":{"prototype":{"prefix":"root"}}}'))
      .status,
  ).toBe(200);
  expectFailure(await send('{"__proto__":null,"prefix":{"toString":1}}'), 'invalid_parameter');
  expect(({} as { prefix?: string }).prefix).toBeUndefined();
  expect((await ask(harness, `/domains?${'a=1&'.repeat(3900)}`)).status).toBe(200);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const many = await ask(harness, '/create-session', {
    method: 'POST',
    headers: form,
    body: 'a=1&'.repeat(16_000),
  });
  expect(many.status).toBe(200);
});

it('ends requests whose headers or body do not arrive in time, and serves others meanwhile', async () => {
  const harness = await startHttp({ timeouts: hasty });
  const slow = [
    `GET /domains HTTP/1.1\r\n${host}X: `,
    `POST /create-session HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    `POST /create-session HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  ].map((bytes) => speak(harness, bytes));
  await expectAlive(harness);
  for (const text of await Promise.all(slow)) expectFailure(parseRawAnswer(text), 'request_timeout');
});

it('closes a refused request that continues without end', async () => {
  const harness = await startHttp({ timeouts: hasty });
  const text = await new Promise<string>((resolve) => {
    let got = '';
    const socket: Socket = connect(harness.port, '127.0.0.1', () => {
      socket.write(`POST /nope HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`);
      const pump = (): void => {
        if (socket.destroyed) return;
        socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, () => setTimeout(pump, 5));
      };
      pump();
    });
    socket.on('data', (piece) => (got += String(piece)));
    // The server may reset: it does not read forever.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(got);
    });
  });
  expect(text).toContain('"not_found"');
  await expectAlive(harness);
});

it('survives clients that leave in the middle of everything', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(Buffer.alloc(8_000_000, 'text of a large message\r\n'), [session]);
  const parts = [
    '',
    'GET /dom',
    `POST /create-session HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    `GET /raw-mail?id=1&token=${token} HTTP/1.1\r\n${host}\r\n`,
    `GET /read-mail?id=1&token=${token} HTTP/1.1\r\n${host}\r\n`,
  ];
  for (const bytes of parts) {
    await new Promise<void>((resolve) => {
      const socket = connect(harness.port, '127.0.0.1', () => {
        socket.write(bytes, () => socket.resetAndDestroy());
      });
      socket.on('close', () => {
        resolve();
      });
    });
  }
  await expectAlive(harness);
  expect(harness.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

it('survives 200 readings, deletions and endings of one session at once', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
  const calls = Array.from({ length: 200 }, (_, number) => {
    if (number === 150) return postJson(harness, '/end-session', { token });
    if (number % 3 === 0) return postJson(harness, '/delete-mail', { token, id: 1 });
    return ask(harness, `/${number % 3 === 1 ? 'read-mail' : 'raw-mail'}?id=1&token=${token}`);
  });
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  for (const status of statuses) expect([200, 404, 410]).toContain(status);
  expect(harness.logged.filter(({ level }) => level === 'error')).toEqual([]);
});

it('reveals nothing of a fault, logs it without the token, and says unavailable when the service is not ready', async () => {
  let ready = true;
  const harness = await startHttp({
    health: { isReady: () => (ready ? { ready } : { ready, reason: 'x' }) },
    wrapDeps: (deps) => ({
      ...deps,
      directory: override(deps.directory, {
        listDomains: () => Promise.reject(new TypeError(`SELECT failed for mf_${'a'.repeat(43)}`)),
      }),
    }),
  });
  const fault = await ask(harness, '/domains');
  expectFailure(fault, 'internal_error');
  expect(fault.text).not.toContain('SELECT');
  const line = harness.logged.find(({ event }) => event === 'http.failed');
  expect(line).toMatchObject({
    level: 'error',
    fields: { request_id: fault.json.request_id, name: 'TypeError' },
  });
  expect(JSON.stringify(line)).not.toContain('mf_aaa');
  ready = false;
  const down = await ask(harness, '/domains');
  expectFailure(down, 'unavailable');
  expect(down.headers['retry-after']).toBe('5');
});

it('logs one line for each request, without its query, unknown path or token', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  await ask(harness, `/session?token=${token}`);
  await ask(harness, '/session', { headers: { authorization: `Bearer ${token}` } });
  await ask(harness, `/${token}`);
  await ask(harness, `/%zz${token}`);
  await speak(harness, `${token}\r\n\r\n`);
  const lines = harness.logged.filter(({ event }) => event === 'http.request');
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    { method: 'GET', route: '/session', status: 200, request_id: expect.any(String), ms: expect.any(Number) },
    { route: '/session', status: 200 },
    { route: null, status: 404 },
  ]);
  expect(JSON.stringify(harness.logged)).not.toContain(token);
});
