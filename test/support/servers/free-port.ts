// Returns a free port, for programs that cannot choose one themselves. Below the range for outgoing connections, any
// of which could take it before the program does; none is returned twice.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '../../../packages/system-errors/src/error-code.ts';

const lowest = 15_000;
const highest = 32_000;

/** Files run side by side, each with its own start. */
let next = lowest + Math.floor(Math.random() * (highest - lowest));

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const port = next;
    next = port < highest ? port + 1 : lowest;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${lowest} and ${highest} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
