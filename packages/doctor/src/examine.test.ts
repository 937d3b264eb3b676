// Faults of a server, one at a time, found through the collectors over a name server and an SMTP server of the test, and
// a right server, where nothing is found.

import { expect, it } from 'vitest';

import { examineWith, faulty } from '../../../test/support/doctor/examine-with.ts';
import {
  certificateOf,
  day,
  type Fault,
  host,
  inDays,
  rightPolicy,
  rightServer,
} from '../../../test/support/doctor/right-server.ts';
import { makeCertificate } from '../../../test/support/servers/certificate.ts';
import { startDns } from '../../../test/support/servers/dns-zone.ts';
import { createDnsResolver } from '../../mail-receiver/src/dns-resolver.ts';
import { collectDomain } from './collect-domain.ts';
import { examine } from './examine.ts';
import { type CheckName, type Finding, stateOf } from './finding.ts';

const faults: readonly (readonly [name: string, check: CheckName, words: string, fault: Fault])[] = [
  ['no MX', 'mx', 'has no MX record', { zone: { 'MX example.org': undefined } }],
  ['a null MX', 'mx', 'null MX', { zone: { 'MX example.org': '0 .' } }],
  ['the MX of another', 'mx', 'names mx.other.example', { zone: { 'MX example.org': 'mx.other.example' } }],
  [
    'an MX of another before ours',
    'mx',
    'too, which gets mail',
    { zone: { 'MX example.org': [`20 ${host}`, '5 mx.other.example'] } },
  ],
  ['MX that cannot be asked for', 'mx', 'could not be asked', { zone: { 'MX example.org': 'down' } }],
  [
    'no address',
    'address',
    'has no address',
    { zone: { [`A ${host}`]: undefined, [`AAAA ${host}`]: undefined } },
  ],
  [
    'an address of loopback',
    'address',
    'no other host',
    { zone: { [`A ${host}`]: '127.0.0.1', [`AAAA ${host}`]: undefined }, server: { ownAddresses: [] } },
  ],
  [
    'a private address',
    'address',
    'its own network',
    { zone: { [`A ${host}`]: '10.0.0.5', [`AAAA ${host}`]: undefined }, server: { ownAddresses: [] } },
  ],
  [
    'A of another server',
    'address',
    'not an address of this server',
    { zone: { [`A ${host}`]: '192.0.2.99', 'PTR 99.2.0.192.in-addr.arpa': host } },
  ],
  ['no AAAA, with IPv6', 'address', 'no AAAA record', { zone: { [`AAAA ${host}`]: undefined } }],
  [
    'AAAA of another server',
    'address',
    'AAAA record',
    {
      zone: {
        [`AAAA ${host}`]: '2001:db8::26',
        'PTR 6.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa': host,
      },
    },
  ],
  ['no PTR', 'reverse', 'has no PTR record', { zone: { 'PTR 1.2.0.192.in-addr.arpa': undefined } }],
  [
    'a PTR that does not lead back',
    'reverse',
    'does not lead back',
    { zone: { 'PTR 1.2.0.192.in-addr.arpa': 'host-1.provider.example' } },
  ],
  ['no wildcard MX', 'wildcard-mx', 'have no MX', { zone: { 'MX *.example.org': undefined } }],
  [
    'a wildcard MX of another',
    'wildcard-mx',
    'names mx.other.example',
    { zone: { 'MX *.example.org': 'mx.other.example' } },
  ],
  ['no SPF', 'spf', 'no SPF record', { zone: { 'TXT example.org': undefined } }],
  ['SPF that lets others send', 'spf', 'lets others send', { zone: { 'TXT example.org': 'v=spf1 mx -all' } }],
  [
    'two SPF records',
    'spf',
    'several SPF',
    { zone: { 'TXT example.org': ['v=spf1 -all', 'v=spf1 mx -all'] } },
  ],
  ['no DMARC', 'dmarc', 'no DMARC record', { zone: { 'TXT _dmarc.example.org': undefined } }],
  ['DMARC without effect', 'dmarc', 'p=none', { zone: { 'TXT _dmarc.example.org': 'v=DMARC1; p=none' } }],
  ['no MTA-STS record', 'mta-sts', 'no MTA-STS record', { zone: { 'TXT _mta-sts.example.org': undefined } }],
  ['an MTA-STS record without policy', 'mta-sts', 'no policy is served', { server: { mtaStsMode: 'off' } }],
  [
    'a policy for another exchange',
    'mta-sts',
    'does not name',
    { policy: { ...rightPolicy, body: 'version: STSv1\nmode: enforce\nmx: mx.other.example\n' } },
  ],
  [
    'a policy of another mode',
    'mta-sts',
    'has the mode testing',
    { policy: { ...rightPolicy, body: `version: STSv1\nmode: testing\nmx: ${host}\n` } },
  ],
  ['no name for the policy', 'mta-sts', 'no address', { policy: { problem: 'name', reason: '' } }],
  [
    'a bad certificate of the policy',
    'mta-sts',
    'not valid',
    { policy: { problem: 'certificate', reason: 'CERT_HAS_EXPIRED' } },
  ],
  ['no TLS-RPT', 'tls-rpt', 'no TLS-RPT record', { zone: { 'TXT _smtp._tls.example.org': undefined } }],
  [
    'TLS-RPT without address',
    'tls-rpt',
    'names no address',
    { zone: { 'TXT _smtp._tls.example.org': 'v=TLSRPTv1;' } },
  ],
  ['STARTTLS that is off', 'tls', 'not offered', { server: { certificate: 'off' } }],
  ['a certificate that has ended', 'tls', 'ended on', { server: { certificate: certificateOf(host, -2) } }],
  [
    'a certificate of another name',
    'tls',
    'is not for',
    { server: { certificate: certificateOf('www.example.org', 60) } },
  ],
  ['a certificate that ends soon', 'tls', 'ends on', { server: inDays(52) }],
  [
    'a self-signed certificate',
    'tls',
    'self-signed',
    { server: { certificate: { pem: makeCertificate(host).cert } } },
  ],
  [
    'another server at port 25',
    'mail',
    'answered by old.provider.example',
    { greeting: 'old.provider.example' },
  ],
  ['STARTTLS removed on the way', 'mail', 'STARTTLS is missing', { extensions: '' }],
  [
    'mail in the clear',
    'mail',
    'in the clear',
    { server: { arrivals: rightServer.arrivals.map((one) => ({ ...one, tls: null })) } },
  ],
  ['no mail from outside', 'mail', 'No mail from outside', { server: { arrivals: [] } }],
  ['a service that does not run', 'service', 'No service runs', { server: { service: 'stopped' } }],
  [
    'a service that is not ready',
    'service',
    'not ready',
    { server: { service: { unready: 'the disk is nearly full' } } },
  ],
  [
    'a page without address',
    'page',
    'has no address',
    { page: { fetched: { problem: 'name', reason: '' } } },
  ],
  [
    'a bad certificate of the page',
    'page',
    'not valid',
    { page: { fetched: { problem: 'certificate', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' } } },
  ],
  [
    'port 443 closed',
    'page',
    'cannot be reached',
    { page: { fetched: { problem: 'connection', reason: 'ECONNREFUSED' } } },
  ],
  ['a page on plain HTTP', 'page', 'not encrypted', { page: { url: `http://${host}`, endsTls: false } }],
  [
    'a proxy that is not trusted',
    'proxy',
    'is not trusted',
    { page: { endsTls: false, visit: { peer: '127.0.0.1', isPeerTrusted: false, hasField: true } } },
  ],
  [
    'a proxy that names no clients',
    'proxy',
    'does not send',
    { page: { endsTls: false, visit: { peer: '127.0.0.1', isPeerTrusted: true, hasField: false } } },
  ],
  ['a clock that is slow', 'clock', '90 s behind', { server: { clockAheadMs: 90_000 } }],
  ['few descriptors', 'descriptors', 'Only 1024', { server: { descriptors: { open: 60, limit: 1024 } } }],
  [
    'descriptors used up',
    'descriptors',
    'are open',
    { server: { descriptors: { open: 190_000, limit: 200_000 } } },
  ],
  [
    'a full disk',
    'disk',
    'no more mail',
    {
      server: { disk: { folder: '/d', freeBytes: 1e8, totalBytes: 1e11, freeInodes: 0.5, floorBytes: 2e8 } },
    },
  ],
  [
    'no inodes',
    'disk',
    'hardly any more files',
    {
      server: {
        disk: { folder: '/d', freeBytes: 5e10, totalBytes: 1e11, freeInodes: 0.001, floorBytes: 2e8 },
      },
    },
  ],
  ['a slow disk', 'sync', '120 ms', { server: { syncMs: 120 } }],
  ['a data folder that others read', 'files', 'can read', { server: { exposed: ['/var/lib/mayfly'] } }],
  ['no backup', 'backup', 'No backup', { server: { backup: undefined } }],
  [
    'an old backup',
    'backup',
    '4 days old',
    { server: { backup: { madeAt: Date.now() - 4.5 * day, folder: '/b' } } },
  ],
  [
    'an upgrade without restart',
    'version',
    '1.1.0 is installed',
    { server: { version: { running: '1.0.0', installed: '1.1.0', node: '24.13.0' } } },
  ],
  [
    'an old Node.js',
    'version',
    'no security fixes',
    { server: { version: { running: '1', installed: '1', node: '20.20.2' } } },
  ],
  ['no domain', 'mx', 'No domain is active', { domains: 'none' }],
  ['DNS checks that are off', 'mx', 'DNS checks are off', { dns: 'off' }],
];

it.each(faults)('names %s', async (_name, check, words, fault) => {
  const found = faulty(await examineWith(fault));
  const named = found.find((one) => one.check === check && one.what.includes(words));
  expect(named, JSON.stringify(found)).toMatchObject({ fix: expect.stringMatching(/^[A-Z].*\S$/) as string });
});

/** Each of these shows in two checks: a host that does not lead here is not in the certificate either. */
const twofold = new Set(['the MX of another', 'an MX of another before ours', 'a wildcard MX of another']);

it('names nothing else than the one fault', async () => {
  for (const [name, check, , fault] of faults.filter(([one]) => !twofold.has(one))) {
    const others = faulty(await examineWith(fault)).filter((one) => one.check !== check);
    expect([name, others]).toEqual([name, []]);
  }
});

it.each<[string, Fault]>([
  ['behind its own HTTPS', {}],
  ['behind a router', { server: { ownAddresses: [] } }],
  [
    'behind a proxy that names clients',
    { page: { endsTls: false, visit: { peer: '127.0.0.1', isPeerTrusted: true, hasField: true } } },
  ],
  ['with IPv4 alone', { zone: { [`AAAA ${host}`]: undefined }, server: { ownAddresses: ['192.0.2.1'] } }],
  [
    'with a second node',
    {
      zone: {
        'MX example.org': [host, '20 mx2.example.org'],
        'A mx2.example.org': '192.0.2.2',
        'PTR 2.2.0.192.in-addr.arpa': 'mx2.example.org',
      },
      server: { certificate: certificateOf('*.example.org', 60) },
    },
  ],
  [
    'whose PTR is a name of the provider',
    { zone: { 'PTR 1.2.0.192.in-addr.arpa': 'v1.provider.example', 'A v1.provider.example': '192.0.2.1' } },
  ],
  ['with short-lived certificates', { server: { certificate: certificateOf(host, 6) } }],
  [
    'whose DMARC is strict in more words',
    { zone: { 'TXT _dmarc.example.org': 'v=DMARC1; p=reject; rua=mailto:d@example.org; adkim=s' } },
  ],
])('finds nothing wrong with a right server %s', async (_name, right) => {
  const findings = await examineWith(right);
  expect(faulty(findings)).toEqual([]);
  expect(stateOf(findings)).toBe('ok');
});

it('takes DMARC of the domain above, by the policy for domains below', async () => {
  const dns = await startDns({ 'TXT _dmarc.example.org': 'v=DMARC1; p=reject; sp=none' });
  const asking = createDnsResolver({ servers: [dns.server], timeoutMs: 5000, keptMax: 0 }).forMessage();
  const collect = (): ReturnType<typeof collectDomain> =>
    collectDomain(
      {
        ask: asking.lookUp,
        reachOf: () => 'anyone',
        fetch: () => Promise.resolve(rightPolicy),
        greet: (address) => Promise.resolve({ address, answer: 'none' }),
        servesPolicy: false,
        unusedLabel: 'x',
      },
      'tmp.example.org',
    );
  const judge = async (): Promise<Finding | undefined> =>
    examine({
      dns: 'on',
      server: rightServer,
      domains: [await collect()],
      hasDomains: true,
      leftOut: 0,
    }).find(({ check }) => check === 'dmarc');
  expect(await judge()).toMatchObject({ state: 'warning' });
  dns.zone = { 'TXT _dmarc.example.org': 'v=DMARC1; p=reject' };
  expect(await judge()).toMatchObject({ state: 'ok' });
  asking.end();
});

it('is not green while anything was not checked', () => {
  expect(stateOf([])).toBe('unknown');
  expect(stateOf([{ state: 'ok' }, { state: 'unknown' }])).toBe('unknown');
  expect(stateOf([{ state: 'unknown' }, { state: 'warning' }, { state: 'failed' }])).toBe('failed');
});
