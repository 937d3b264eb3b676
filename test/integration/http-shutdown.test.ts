// Closing: requests in progress finish, late ones are refused, and no connection keeps the server running.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { ask, parseRawAnswer, startHttp } from './http-harness.ts';
import { override } from '../support/override.ts';

/** A gate at which a request waits inside the service. */
function createGate() {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return { open: () => { open(); }, arrived, pass: () => { arrive(); return opened; } }; // prettier-ignore
}

async function startGated() {
  const gate = createGate();
  const harness = await startHttp({
    wrapDeps: (deps) => ({
      ...deps,
      directory: override(deps.directory, {
        listDomains: async () => {
          await gate.pass();
          return deps.directory.listDomains();
        },
      }),
    }),
  });
  return { harness, gate };
}

it('finishes a request in progress, then closes its connection and stops listening', async () => {
  const { harness, gate } = await startGated();
  const answer = ask(harness, '/domains', { headers: { connection: 'keep-alive' } });
  await gate.arrived;
  const closed = harness.server.close();
  gate.open();
  expect(await answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
  await expect(ask(harness, '/healthz')).rejects.toThrow('ECONNREFUSED');
});

it('returns 503 for a further request on an open connection and closes it', async () => {
  const { harness, gate } = await startGated();
  const text = await new Promise<string>((resolve, reject) => {
    let got = '';
    const socket = connect(harness.port, '127.0.0.1', () => {
      socket.write('GET /domains HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    socket.on('data', (piece) => (got += String(piece)));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(got);
    });
    void gate.arrived.then(() => {
      void harness.server.close();
      // Pipelined after the request in progress.
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', () => {
        setImmediate(gate.open);
      });
    });
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  if (text.lastIndexOf('HTTP/1.1 ') > 0) {
    const late = parseRawAnswer(text);
    expect([late.status, late.json.code]).toEqual([503, 'unavailable']);
    expect(late.headers.toLowerCase()).toContain('connection: close');
    expect(late.headers.toLowerCase()).toContain('retry-after: 5');
  }
});

it('does not wait for idle or silent connections', async () => {
  const harness = await startHttp();
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    request({ agent, host: '127.0.0.1', port: harness.port, path: '/healthz' }, (response) => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
  const silent = connect(harness.port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  const gone = new Promise((resolve) => silent.once('close', resolve));
  const startedAt = performance.now();
  await harness.server.close();
  await gone;
  // Before either would close by itself: a silent connection has ten seconds for its request.
  expect(performance.now() - startedAt).toBeLessThan(9500);
  agent.destroy();
});

it('can be closed twice', async () => {
  const harness = await startHttp();
  await Promise.all([harness.server.close(), harness.server.close()]);
});

it('reports its address, and fails when that is taken', async () => {
  const harness = await startHttp();
  expect(harness.server.address()).toEqual({ host: '127.0.0.1', port: harness.port });
  await expect(startHttp({ settings: { port: harness.port } })).rejects.toThrow('EADDRINUSE');
});
