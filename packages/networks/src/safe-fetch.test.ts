import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { makeCertificate } from '../../../test/support/servers/certificate.ts';
import { listenLocally } from '../../../test/support/servers/local-server.ts';
import { createSafeFetch, type SafeAnswer, type SafeFetchOptions, type SafeRequest } from './safe-fetch.ts';
import { SafeFetchError } from './safe-fetch-error.ts';

const open: TcpServer[] = [];

afterEach(async () => {
  await Promise.all(
    open.splice(0).map((server) => {
      if ('closeAllConnections' in server) (server as Server).closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

function listen(server: TcpServer): Promise<number> {
  open.push(server);
  return listenLocally(server);
}

function serve(listener: RequestListener): Promise<number> {
  return listen(createServer(listener));
}

function resolvesTo(...answers: readonly (readonly string[])[]): {
  resolve(): Promise<readonly string[]>;
  asked: number;
} {
  return {
    asked: 0,
    async resolve() {
      this.asked += 1;
      return answers[Math.min(this.asked, answers.length) - 1] ?? [];
    },
  };
}

function fetchWith(options: Partial<SafeFetchOptions>, request: Partial<SafeRequest>): Promise<SafeAnswer> {
  const safeFetch = createSafeFetch({ schemes: ['http', 'https'], ports: [80, 443], allow: [], ...options });
  return safeFetch({ url: 'http://example.test/', method: 'GET', read: 'body', ...request });
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SafeFetchError);
  return (error as SafeFetchError).failure;
}

/** A server on loopback that the options allow under the name `sink.test`. */
function toSink(port: number): Partial<SafeFetchOptions> {
  return { ports: [port], allow: ['127.0.0.1'], resolver: resolvesTo(['127.0.0.1']) };
}

describe('URLs', () => {
  it.each([
    'ftp://example.test/',
    'file:///etc/passwd',
    'gopher://example.test/',
    'javascript:alert(1)',
    '//example.test/',
    'example.test',
    '',
    'http://',
    'http://user:secret@example.test/',
    'http://user@example.test/',
    'http://example.test:22/',
    'http://example.test:25/',
    'http://example.test:6379/',
    'http://example.test:0/',
    `http://example.test/${'x'.repeat(2048)}`,
  ])('refuses %.60s', async (url) => {
    const resolver = resolvesTo(['127.0.0.1']);
    expect(await failureOf(fetchWith({ resolver }, { url }))).toBe('bad_url');
    expect(resolver.asked).toBe(0);
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://0/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://sub.localhost/',
  ])('refuses %s, which is this machine or its network', async (url) => {
    expect(await failureOf(fetchWith({}, { url }))).toBe('address_refused');
  });

  it('allows only the schemes named', async () => {
    expect(await failureOf(fetchWith({ schemes: ['https'] }, { url: 'http://example.test/' }))).toBe(
      'bad_url',
    );
  });
});

describe('names', () => {
  it('refuses a name of which one address among several is private', async () => {
    const resolver = resolvesTo(['93.184.216.34', '10.0.0.1']);
    expect(await failureOf(fetchWith({ resolver }, {}))).toBe('address_refused');
  });

  it.each([['garbage'], ['127.0.0.1 '], ['fe80::1%lo']])(
    'refuses %s as an answer of a name server',
    async (address) => {
      expect(await failureOf(fetchWith({ resolver: resolvesTo([address]) }, {}))).toBe('address_refused');
    },
  );

  it('resolves once and connects to what was checked, whatever a second answer would be', async () => {
    const port = await serve((_request, response) => response.end('the checked one'));
    const resolver = resolvesTo(['127.0.0.1'], ['127.0.0.2']);
    const answer = await fetchWith(
      { ports: [port], allow: ['127.0.0.1/32'], resolver },
      { url: `http://rebind.test:${port}/` },
    );
    expect(answer.body.toString()).toBe('the checked one');
    expect(resolver.asked).toBe(1);
  });

  it('tells a name that does not resolve from one that is refused', async () => {
    const resolver = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await failureOf(fetchWith({ resolver }, {}))).toBe('not_resolved');
    expect(await failureOf(fetchWith({ resolver: resolvesTo([]) }, {}))).toBe('not_resolved');
  });

  it('allows a host that the operator named, and no other on its address', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    const options = { ports: [port], allow: ['app.internal'], resolver: resolvesTo(['127.0.0.1']) };
    expect((await fetchWith(options, { url: `http://APP.internal:${port}/` })).status).toBe(200);
    expect(await failureOf(fetchWith(options, { url: `http://other.internal:${port}/` }))).toBe(
      'address_refused',
    );
  });

  it('gives up on name servers that do not answer in time', async () => {
    const resolver = { resolve: () => new Promise<never>(() => undefined) };
    expect(await failureOf(fetchWith({ resolver, timeoutMs: 30 }, {}))).toBe('timed_out');
  });
});

describe('the exchange', () => {
  it('keeps Host, sends the body with its length and accepts no coding', async () => {
    const seen: Record<string, unknown> = {};
    const port = await serve((request, response) => {
      Object.assign(seen, request.headers, { url: request.url, method: request.method });
      request.on('data', (piece: Buffer) => (seen['body'] = piece.toString()));
      request.on('end', () => response.end('fine'));
    });
    const answer = await fetchWith(toSink(port), {
      url: `http://sink.test:${port}/hook?a=1`,
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'evil.test' },
      body: '{"ä":1}',
    });
    expect(answer.body.toString()).toBe('fine');
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hook?a=1',
      host: `sink.test:${port}`,
      'content-length': '8',
      'accept-encoding': 'identity',
      body: '{"ä":1}',
    });
  });

  it('does not follow redirects and keeps nothing of their body', async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end('moved');
    });
    const answer = await fetchWith(toSink(port), { url: `http://sink.test:${port}/` });
    expect([answer.status, answer.body.length, requests]).toEqual([302, 0, 1]);
  });

  it('keeps no body of a failure', async () => {
    const port = await serve((_request, response) => response.writeHead(500).end('secret stack'));
    const answer = await fetchWith(toSink(port), { url: `http://sink.test:${port}/` });
    expect([answer.status, answer.body.length]).toEqual([500, 0]);
  });

  it('reads an answer up to its bound and not a byte more', async () => {
    const port = await serve((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))));
    const url = (bytes: number): string => `http://sink.test:${port}/${bytes}`;
    expect((await fetchWith(toSink(port), { url: url(65_536) })).body.length).toBe(65_536);
    expect(await failureOf(fetchWith(toSink(port), { url: url(65_537) }))).toBe('answer_too_large');
    expect(await failureOf(fetchWith(toSink(port), { url: url(1_000_000) }))).toBe('answer_too_large');
  });

  it('is done at the header of an endless answer of which only the status counts', async () => {
    const port = await serve((_request, response) => response.writeHead(204 + 1).write('x'));
    const answer = await fetchWith(toSink(port), { url: `http://sink.test:${port}/`, read: 'status' });
    expect([answer.status, answer.body.length]).toEqual([205, 0]);
  });

  it.each([
    ['never answers', () => undefined],
    ['never ends its answer', (_request, response) => response.write('x')],
  ] as [string, RequestListener][])('gives up on an endpoint that %s', async (_what, listener) => {
    const port = await serve(listener);
    const request = { url: `http://sink.test:${port}/` };
    expect(await failureOf(fetchWith({ ...toSink(port), timeoutMs: 100 }, request))).toBe('timed_out');
  });

  it('stops when the caller aborts', async () => {
    const controller = new AbortController();
    const port = await serve(() => {
      controller.abort();
    });
    const request = { url: `http://sink.test:${port}/`, signal: controller.signal };
    expect(await failureOf(fetchWith(toSink(port), request))).toBe('timed_out');
    expect(await failureOf(fetchWith(toSink(port), request))).toBe('timed_out');
  });

  it('fails where the connection is reset, in the header or in the body', async () => {
    const before = await listen(createTcpServer((socket) => socket.resetAndDestroy()));
    expect(await failureOf(fetchWith(toSink(before), { url: `http://sink.test:${before}/` }))).toBe(
      'connection_failed',
    );
    const within = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-length': '10' })
        .write('half', () => response.socket?.resetAndDestroy());
    });
    expect(await failureOf(fetchWith(toSink(within), { url: `http://sink.test:${within}/` }))).toBe(
      'connection_failed',
    );
  });

  it('fails on an answer that is no HTTP or has a header beyond 16 KB', async () => {
    const garbage = await listen(createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n')));
    expect(await failureOf(fetchWith(toSink(garbage), { url: `http://sink.test:${garbage}/` }))).toBe(
      'connection_failed',
    );
    const huge = await serve((_request, response) =>
      response.writeHead(200, { x: 'y'.repeat(20_000) }).end(),
    );
    expect(await failureOf(fetchWith(toSink(huge), { url: `http://sink.test:${huge}/` }))).toBe(
      'connection_failed',
    );
  });
});

describe('TLS', () => {
  const certificate = makeCertificate('sink.test');
  const serveTls = (names: string[] = []): Promise<number> =>
    listen(
      createTlsServer(
        {
          ...certificate,
          SNICallback: (name, done) => {
            names.push(name);
            done(null);
          },
        },
        (_request, response) => response.end('secret'),
      ),
    );

  it('names the host in SNI and checks its certificate, connected to the pinned address', async () => {
    const names: string[] = [];
    const port = await serveTls(names);
    const options = { ...toSink(port), certificateAuthorities: certificate.cert };
    expect((await fetchWith(options, { url: `https://sink.test:${port}/` })).body.toString()).toBe('secret');
    expect(names).toEqual(['sink.test']);
  });

  it('refuses a self-signed certificate, and one for another name', async () => {
    const port = await serveTls();
    expect(await failureOf(fetchWith(toSink(port), { url: `https://sink.test:${port}/` }))).toBe(
      'connection_failed',
    );
    const options = { ...toSink(port), certificateAuthorities: certificate.cert };
    expect(await failureOf(fetchWith(options, { url: `https://other.test:${port}/` }))).toBe(
      'connection_failed',
    );
    expect(await failureOf(fetchWith(options, { url: `https://127.0.0.1:${port}/` }))).toBe(
      'connection_failed',
    );
  });
});
