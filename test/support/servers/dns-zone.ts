// A name server of the test's own on 127.0.0.1, which answers over UDP and TCP from a zone and knows nothing else. RFC
// 1035 §4.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { onTestFinished } from 'vitest';

const types = { A: 1, MX: 15, TXT: 16 } as const;

/** `MX name` and so on → an IPv4 address, the name of an exchange, or a text. */
export type DnsZone = Readonly<Record<`${keyof typeof types} ${string}`, string>>;

export interface DnsServer {
  /** As MAYFLY_DNS_SERVERS takes it. */
  readonly server: string;
  zone: DnsZone;
}

export async function startDns(zone: DnsZone): Promise<DnsServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => void socket.close(resolve)));
  const dns: DnsServer = { server: `127.0.0.1:${socket.address().port}`, zone };
  socket.on('message', (question, { port, address }) => {
    socket.send(toReply(question, dns.zone), port, address);
  });
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
  overTcp.listen(socket.address().port, '127.0.0.1');
  await once(overTcp, 'listening');
  onTestFinished(() => void overTcp.close());
  return dns;
}

function toReply(question: Buffer, zone: DnsZone): Buffer {
  const nameEnd = question.indexOf(0, 12);
  // Without the question's own additional record (EDNS).
  const head = Buffer.from(question.subarray(0, nameEnd + 5));
  const type = head.readUInt16BE(nameEnd + 1);
  const record = Object.entries(zone).find(([key]) => {
    const [wanted = '', name] = key.split(' ');
    return types[wanted as keyof typeof types] === type && name === readName(question);
  });
  const data = record && toData(type, record[1]);
  head.writeUInt16BE(data ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(data ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!data) return head;
  const fixed = Buffer.from('c00c000000010000003c0000', 'hex');
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, fixed, data]);
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
  if (type === types.TXT) return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const labels = value.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([Buffer.from([0, 10]), ...labels, Buffer.from([0])]);
}
