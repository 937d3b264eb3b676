// Returns a free port, for programs that cannot choose one themselves. Below the range for outgoing connections, any
// of which could take it before the program does; none is returned twice.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '../../../packages/system-errors/src/error-code.ts';

const lowest = 15_000;
const highest = 32_000;

/**
 * Each worker has ports of its own, since one is free for a moment whenever a test starts its program again. Other runs
 * on the machine start elsewhere.
 */
const workersMax = 32;
const perWorker = Math.floor((highest - lowest) / workersMax);
const first = lowest + (Number(process.env['VITEST_POOL_ID'] ?? '0') % workersMax) * perWorker;
let next = Math.floor(Math.random() * perWorker);

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < perWorker; attempt++) {
    const port = first + next;
    next = (next + 1) % perWorker;
    if (await isFree(port)) return port;
  }
  throw new Error(`No port of ${first} to ${first + perWorker - 1} is free.`);
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
