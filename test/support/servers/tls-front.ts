// A proxy that terminates TLS before a plain listener, like an operator's. Clients that insist on HTTPS at port 443
// are sent through it by HTTPS_PROXY: every request reaches the listener.

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';

import { onTestFinished } from 'vitest';

import { makeAuthority } from './certificate.ts';

/**
 * Returns the environment for a Node.js client that is to reach the port as `https://localhost/`. Removed with the
 * test.
 */
export async function startTlsFront(port: number): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-tls-front-'));
  const authority = makeAuthority();
  const own = authority.issue('localhost');
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const sockets = new Set<Socket>();
  const proxy = createServer();
  proxy.on('connect', (_request, client: Socket) => {
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    const secure = new TLSSocket(client, { isServer: true, ...own });
    const upstream = connect(port, '127.0.0.1');
    secure.pipe(upstream).pipe(secure);
    for (const [one, other] of [
      [secure, upstream],
      [upstream, secure],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await rm(folder, { recursive: true });
  });
  const { port: proxyPort } = proxy.address() as AddressInfo;
  return { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_EXTRA_CA_CERTS: caFile };
}
