// The command's end of the control socket.

import { createConnection } from 'node:net';

import { type ControlRequest, type ControlResponse, controlSocketPath } from './control-protocol.ts';
import { readLine } from './read-line.ts';

/**
 * Undefined when no service runs on the data folder.
 * @throws Error when the service breaks off, or answers what is no answer
 */
export async function askRunningService(
  dataDir: string,
  request: ControlRequest,
): Promise<ControlResponse | undefined> {
  const socket = createConnection(controlSocketPath(dataDir));
  try {
    const line = readLine(socket);
    socket.write(`${JSON.stringify(request)}\n`);
    return parseResponse(await line);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** The service is trusted, but what listens there may be something else. */
function parseResponse(line: string): ControlResponse {
  const response = JSON.parse(line) as ControlResponse | null;
  if (typeof response?.ok === 'boolean') return response;
  throw new Error('The running service gave no answer that this Mayfly reads.');
}
