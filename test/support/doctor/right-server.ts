// A server that is set up right, as the doctor's facts, and how a fault differs from it.

import type { Facts, Fetched, PageFacts, ServerFacts } from '../../../packages/doctor/src/facts.ts';
import { makeAuthority } from '../servers/certificate.ts';
import type { DnsZone } from '../servers/dns-zone.ts';

export const day = 86_400_000;
export const host = 'mail.example.org';
const authority = makeAuthority();
export const certificateOf = (name: string, days?: number): { pem: string } => ({
  pem: authority.issue(name, days).cert,
});

export const rightZone: DnsZone = {
  'MX example.org': host,
  'MX *.example.org': host,
  [`A ${host}`]: '192.0.2.1',
  [`AAAA ${host}`]: '2001:db8::25',
  'TXT example.org': ['v=spf1 -all', 'something-verification=1'],
  'TXT _dmarc.example.org': 'v=DMARC1; p=reject;',
  'TXT _mta-sts.example.org': 'v=STSv1; id=20260101;',
  'TXT _smtp._tls.example.org': 'v=TLSRPTv1; rua=mailto:postmaster@example.org',
  'PTR 1.2.0.192.in-addr.arpa': host,
  'PTR 5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': host,
};

export const rightPolicy: Fetched = {
  status: 200,
  body: `version: STSv1\r\nmode: enforce\r\nmx: ${host}\r\nmax_age: 604800\r\n`,
  dateAt: 0,
};

export const rightPage: PageFacts = {
  url: `https://${host}`,
  fetched: { status: 200, body: '', dateAt: 0 },
  visit: { peer: '192.0.2.1', isPeerTrusted: false, hasField: false },
  endsTls: true,
  proxyField: 'x-forwarded-for',
  hasNodes: false,
};

export const rightServer: ServerFacts = {
  // The test's certificates are made later than this.
  now: Date.now() + 3_600_000,
  hostname: host,
  certificate: certificateOf(host, 60),
  mtaStsMode: 'enforce',
  ownAddresses: ['192.0.2.1', '2001:db8::25'],
  service: 'running',
  arrivals: [
    {
      at: Date.now() - 60_000,
      domain: 'example.org',
      remoteAddress: '198.51.100.7',
      tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
      authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
    },
  ],
  page: rightPage,
  clockAheadMs: 300,
  descriptors: { open: 60, limit: 200_000 },
  disk: { folder: '/var/lib/mayfly', freeBytes: 50e9, totalBytes: 100e9, freeInodes: 0.9, floorBytes: 2e8 },
  syncMs: 1.2,
  exposed: [],
  exposedFiles: [],
  backup: { madeAt: Date.now() - 9 * 3_600_000, folder: '/var/lib/mayfly-backup/2026-11-26' },
  version: { running: '1.0.0', installed: '1.0.0', node: '24.13.0' },
};

/** The right server so much later. */
export function inDays(days: number): Partial<ServerFacts> {
  const at = Date.now() + days * day;
  const arrivals = rightServer.arrivals.map((one) => ({ ...one, at }));
  return { now: at, arrivals, backup: { madeAt: at, folder: '/b' } };
}

export interface Fault {
  readonly zone?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly server?: Partial<ServerFacts>;
  readonly page?: Partial<PageFacts>;
  readonly policy?: Fetched;
  /** The name of the server that answers port 25: by default this one. */
  readonly greeting?: string;
  readonly extensions?: string;
  /** Addresses at which nothing answers port 25. */
  readonly closed?: readonly string[];
  readonly domains?: 'none';
  readonly dns?: Facts['dns'];
}
