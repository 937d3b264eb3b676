// Examines a server with a fault, through the collectors, over a name server and an SMTP server of the test.

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

import { collectDomain } from '../../../packages/doctor/src/collect-domain.ts';
import { examine } from '../../../packages/doctor/src/examine.ts';
import type { Facts } from '../../../packages/doctor/src/facts.ts';
import type { Finding } from '../../../packages/doctor/src/finding.ts';
import { readGreeting } from '../../../packages/doctor/src/read-greeting.ts';
import { createDnsResolver } from '../../../packages/mail-receiver/src/dns-resolver.ts';
import { type DnsZone, startDns } from '../servers/dns-zone.ts';
import { type Fault, host, rightPage, rightPolicy, rightServer, rightZone } from './right-server.ts';

async function startSmtp(greeting: string, extensions: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(`220 ${greeting} ESMTP\r\n`);
    socket.on('data', () => socket.write(`250-${greeting}\r\n${extensions}250 SIZE 1000\r\n`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

export async function examineWith(fault: Fault): Promise<readonly Finding[]> {
  const zone = Object.fromEntries(
    Object.entries({ ...rightZone, ...fault.zone }).filter(([, value]) => value !== undefined),
  ) as DnsZone;
  const dns = await startDns(zone);
  const resolver = createDnsResolver({ servers: [dns.server], timeoutMs: 5000, lookUpsMax: 200, keptMax: 0 });
  const asking = resolver.forMessage();
  onTestFinished(() => {
    asking.end();
  });
  const smtp = await startSmtp(fault.greeting ?? host, fault.extensions ?? '250-STARTTLS\r\n');
  const domain = await collectDomain(
    {
      ask: asking.lookUp,
      reachOf: (address) =>
        address.startsWith('127.') ? 'none' : address.startsWith('10.') ? 'network' : 'anyone',
      fetch: () => Promise.resolve(fault.policy ?? rightPolicy),
      greet: async (address) => {
        if (fault.closed?.includes(address) === true) return { address, answer: 'none' };
        return { ...(await readGreeting('127.0.0.1', { port: smtp, name: 'doctor.test' })), address };
      },
      servesPolicy: (fault.server?.mtaStsMode ?? 'enforce') !== 'off',
      unusedLabel: 'doctor-1',
    },
    'example.org',
  );
  const server = { ...rightServer, page: { ...rightPage, ...fault.page }, ...fault.server };
  const facts: Facts = {
    dns: fault.dns ?? 'on',
    server,
    domains: fault.domains === 'none' || fault.dns === 'off' ? [] : [domain],
    hasDomains: fault.domains !== 'none',
    leftOut: 0,
  };
  return examine(facts);
}

export const faulty = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ state }) => state !== 'ok');
