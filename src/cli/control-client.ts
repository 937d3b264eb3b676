// The command's end of the control socket.

import { createConnection } from 'node:net';

import { type ControlRequest, type ControlResponse, controlSocketPath } from './control-protocol.ts';
import { shortest } from './control-server.ts';
import { readLine } from './read-line.ts';

/** Undefined when no service runs on the data folder. */
export async function askRunningService(
  dataDir: string,
  request: ControlRequest,
): Promise<ControlResponse | undefined> {
  const socket = createConnection(shortest(controlSocketPath(dataDir)));
  try {
    const line = readLine(socket);
    socket.write(`${JSON.stringify(request)}\n`);
    return JSON.parse(await line) as ControlResponse;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}
