import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import { expect, it, onTestFinished, vi } from 'vitest';

import { endSocket } from './end-socket.ts';

/** A socket of ours whose peer never closes its side, and that peer. */
async function open(): Promise<{ ours: Socket; peer: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const peer = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  const [ours] = (await accepted) as [Socket];
  server.close();
  onTestFinished(() => {
    ours.destroy();
    peer.destroy();
  });
  return { ours, peer };
}

it('waits for the peer while there are few that do, and lets go once', async () => {
  const { ours, peer } = await open();
  let held = 0;
  const lingering = { holdLingering: () => (held += 1) > 0, releaseLingering: () => (held -= 1) };
  endSocket(ours, 'bye', lingering);
  const [bytes] = (await once(peer, 'data')) as [Buffer];
  expect([String(bytes), held, ours.destroyed]).toEqual(['bye', 1, false]);
  const closed = once(ours, 'close');
  peer.end();
  await closed;
  expect(held).toBe(0);
});

it('closes after the last reply where too many wait already: they cannot hold all descriptors', async () => {
  // Fake timers: the final cut never comes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { ours, peer } = await open();
  const closed = once(ours, 'close');
  const releaseLingering = vi.fn();
  endSocket(ours, '421 bye', { holdLingering: () => false, releaseLingering });
  const [bytes] = (await once(peer, 'data')) as [Buffer];
  expect(String(bytes)).toBe('421 bye');
  await closed;
  expect(releaseLingering).not.toHaveBeenCalled();
});

it('holds nothing for a socket that has closed already', async () => {
  const { ours } = await open();
  const closed = once(ours, 'close');
  ours.destroy();
  await closed;
  const lingering = { holdLingering: vi.fn(() => true), releaseLingering: vi.fn() };
  endSocket(ours, 'bye', lingering);
  expect(lingering.holdLingering).not.toHaveBeenCalled();
});
