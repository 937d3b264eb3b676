import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

import { expect, it, onTestFinished } from 'vitest';

import { createDnsResolver } from './dns-resolver.ts';

interface Peer {
  readonly server: string;
  /** Questions that have come. */
  count: number;
}

/** Starts a name server that answers with `answer`, or never. */
async function listen(answer?: (socket: Socket, question: Buffer, from: RemoteInfo) => void): Promise<Peer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)));
  const peer = { server: `127.0.0.1:${socket.address().port}`, count: 0 };
  socket.on('message', (question, from) => {
    peer.count += 1;
    answer?.(socket, question, from);
  });
  return peer;
}

/** Answers every question with one TXT record, or with the code alone. RFC 1035 §4.1. */
function answering(code: number) {
  return (socket: Socket, question: Buffer, from: RemoteInfo): void => {
    // Without the question's own additional record (EDNS), which ends it.
    const end = question.indexOf(0, 12) + 5;
    const reply = Buffer.from(question.subarray(0, end));
    const answer = Buffer.from('c00c0010000100000e10000504', 'hex');
    reply.writeUInt16BE(0x8180 | code, 2);
    reply.writeUInt16BE(code === 0 ? 1 : 0, 6);
    reply.writeUInt16BE(0, 8);
    reply.writeUInt16BE(0, 10);
    const record = code === 0 ? Buffer.concat([answer, Buffer.from('text')]) : Buffer.alloc(0);
    socket.send(Buffer.concat([reply, record]), from.port, from.address);
  };
}

it('gives up all look-ups of a message together after its time', async () => {
  const { server } = await listen();
  const lookUps = createDnsResolver({ servers: [server], timeoutMs: 300 }).forMessage();
  const startedAt = performance.now();
  const first = lookUps.lookUp('one.test', 'TXT');
  await expect(first).rejects.toMatchObject({ code: 'ETIMEOUT' });
  await expect(lookUps.lookUp('two.test', 'TXT')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  expect(performance.now() - startedAt).toBeGreaterThan(290);
  expect(lookUps.hasFailed).toBe(true);
});

it('asks once within a minute, in any letter case', async () => {
  const peer = await listen(answering(0));
  let at = 0;
  const resolver = createDnsResolver({ servers: [peer.server], timeoutMs: 2000, now: () => at });
  const ask = (name: string) => resolver.forMessage().lookUp(name, 'TXT');
  expect(await Promise.all([ask('one.test'), ask('One.Test.')])).toEqual([[['text']], [['text']]]);
  at = 59_999;
  await ask('one.test');
  expect(peer.count).toBe(1);
  at = 60_001;
  await ask('one.test');
  expect(peer.count).toBe(2);
});

it('keeps no more answers than it may, the newest', async () => {
  const peer = await listen(answering(0));
  const resolver = createDnsResolver({ servers: [peer.server], timeoutMs: 2000, keptMax: 2 });
  const { lookUp, end } = resolver.forMessage();
  for (const name of ['one.test', 'two.test', 'three.test', 'three.test', 'two.test', 'one.test']) {
    await lookUp(name, 'TXT');
  }
  expect(peer.count).toBe(4);
  end();
});

it.each([
  [3, 'ENOTFOUND', false],
  [2, 'ETIMEOUT', true],
  [5, 'ETIMEOUT', true],
])(
  'tells by code %i that a name is not there, or that it is not known',
  async (code, expected, hasFailed) => {
    const { server } = await listen(answering(code));
    const lookUps = createDnsResolver({ servers: [server], timeoutMs: 2000 }).forMessage();
    await expect(lookUps.lookUp('one.test', 'TXT')).rejects.toMatchObject({ code: expected });
    expect(lookUps.hasFailed).toBe(hasFailed);
    lookUps.end();
  },
);

it('asks no more than a message may', async () => {
  const peer = await listen(answering(0));
  const { lookUp, end } = createDnsResolver({
    servers: [peer.server],
    timeoutMs: 2000,
    lookUpsMax: 2,
  }).forMessage();
  await lookUp('one.test', 'TXT');
  await lookUp('two.test', 'TXT');
  await expect(lookUp('three.test', 'TXT')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  expect(peer.count).toBe(2);
  end();
});

it.each([
  '',
  '.',
  'a..test',
  `${'a'.repeat(64)}.test`,
  'a.'.repeat(128),
  'a\\.test',
  'a b.test',
  'b\u00fccher.test',
  'a"b.test',
])('does not ask for %j, which is no name', async (name) => {
  const peer = await listen();
  const { lookUp, end } = createDnsResolver({ servers: [peer.server], timeoutMs: 500 }).forMessage();
  await expect(lookUp(name, 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(peer.count).toBe(0);
  end();
});
