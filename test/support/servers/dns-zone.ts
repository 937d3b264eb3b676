// A name server of the test's own on 127.0.0.1, which answers over UDP and TCP from a zone and knows nothing else. RFC
// 1035 §4.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { onTestFinished } from 'vitest';

const types = { A: 1, NS: 2, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const;

/**
 * `MX name` and so on → an address, the name of an exchange (of priority 10, or as in `5 name`) or another host, a text;
 * several where there are several. A name `*.parent` stands for all that are not there. `down`: no answer can be given.
 */
export type DnsZone = Readonly<Record<`${keyof typeof types} ${string}`, string | readonly string[]>>;

export interface DnsServer {
  /** As MAYFLY_DNS_SERVERS takes it. */
  readonly server: string;
  zone: DnsZone;
}

export async function startDns(zone: DnsZone, host = '127.0.0.1', port = 0): Promise<DnsServer> {
  // One question in one piece, as resolvers send it: its length, then the message (§4.2.2).
  const overTcp = createServer((connection) => {
    connection.on('data', (bytes) => {
      const reply = toReply(bytes.subarray(2), dns.zone);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      connection.write(Buffer.concat([length, reply]));
    });
    connection.on('error', () => connection.destroy());
  });
  const socket = await listenOnBoth(overTcp, host, port);
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)));
  onTestFinished(() => void overTcp.close());
  const dns: DnsServer = { server: `${host}:${socket.address().port}`, zone };
  socket.on('message', (question, { port, address }) => {
    socket.send(toReply(question, dns.zone), port, address);
  });
  return dns;
}

/** Listens on one port of both protocols; a port that is free for one may be taken for the other. */
async function listenOnBoth(overTcp: Server, host: string, port: number): Promise<Socket> {
  for (let attempt = 1; ; attempt += 1) {
    overTcp.listen(port, host);
    await once(overTcp, 'listening');
    const socket = createSocket('udp4');
    socket.bind((overTcp.address() as AddressInfo).port, host);
    try {
      await once(socket, 'listening');
      return socket;
    } catch (error) {
      overTcp.close();
      await once(overTcp, 'close');
      if (port !== 0 || attempt === 20) throw error;
    }
  }
}

function toReply(question: Buffer, zone: DnsZone): Buffer {
  const nameEnd = question.indexOf(0, 12);
  // Without the question's own additional record (EDNS).
  const head = Buffer.from(question.subarray(0, nameEnd + 5));
  const type = head.readUInt16BE(nameEnd + 1);
  const values = findValues(zone, type, readName(question));
  const isDown = values.includes('down');
  const records = isDown ? [] : values.map((value) => toRecord(type, value));
  // No error, the server failed, there is no such name.
  head.writeUInt16BE(records.length > 0 ? 0x8580 : isDown ? 0x8182 : 0x8583, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function findValues(zone: DnsZone, type: number, name: string): readonly string[] {
  const wanted = Object.entries(types).find(([, number]) => number === type)?.[0];
  const isThere = Object.keys(zone).some((key) => key.split(' ')[1] === name);
  const owner = isThere ? name : `*${name.slice(name.indexOf('.'))}`;
  const found = Object.entries(zone).find(([key]) => key === `${wanted} ${owner}`)?.[1] ?? [];
  return typeof found === 'string' ? [found] : found;
}

function toRecord(type: number, value: string): Buffer {
  const data = toData(type, value);
  const fixed = Buffer.from('c00c000000010000003c0000', 'hex');
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function readName(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at] !== 0; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return labels.join('.').toLowerCase();
}

function toData(type: number, value: string): Buffer {
  if (type === types.A) return Buffer.from(value.split('.').map(Number));
  if (type === types.AAAA) return toIpv6(value);
  if (type === types.TXT) return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const [, priority = '10', name = value] = /^(\d+) (\S+)$/.exec(value) ?? [];
  const labels = name
    .split('.')
    .filter(Boolean)
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  const before = type === types.MX ? [Buffer.from([0, Number(priority)])] : [];
  return Buffer.concat([...before, ...labels, Buffer.from([0])]);
}

function toIpv6(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
