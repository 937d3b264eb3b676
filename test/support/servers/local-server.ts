// Servers of tests, on a free port of 127.0.0.1.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import { onTestFinished } from 'vitest';

/** Resolves with the port. */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Serves HTTP until the test is over; resolves with the port. */
export async function serveForTest(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return port;
}
