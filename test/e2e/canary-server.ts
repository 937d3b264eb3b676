// Stands for the Internet: the host names in payloads resolve to it. It serves any request and records it, connections
// without a request included.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface CanaryServer {
  readonly port: number;
  /** Host and path of requests, and `connection` for connections without one. */
  takeHits(): string[];
  /** Responses by path, instead of a picture. */
  readonly pages: Map<string, string>;
  close(): Promise<void>;
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export async function startCanaryServer(): Promise<CanaryServer> {
  const hits: string[] = [];
  const silent = new Set<Socket>();
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    silent.delete(request.socket);
    const url = `${request.headers.host ?? ''}${request.url ?? ''}`;
    const page = pages.get(url);
    if (page === undefined) hits.push(url);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', page === undefined ? 'image/gif' : 'text/html; charset=utf-8');
    response.end(page ?? gif);
  });
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.on('error', () => socket.destroy());
  });
  // TLS, which is not supported here: the first bytes contain the host name.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    silent.delete(socket as Socket);
    const name = /[\w.-]*canary\.test/.exec(error.rawPacket?.toString('latin1') ?? '')?.[0];
    hits.push(`tls ${name ?? 'unknown'}`);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    pages,
    takeHits: () => {
      const open = [...silent].filter((socket) => !socket.destroyed).map(() => 'connection');
      silent.clear();
      return [...hits.splice(0), ...open];
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
