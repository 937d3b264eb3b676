// Faults that look right at first: records in another form, and what only a part of the clients meets.

import { expect, it } from 'vitest';

import { examineWith, faulty } from '../../../test/support/doctor/examine-with.ts';
import {
  day,
  type Fault,
  host,
  rightPolicy,
  rightServer,
} from '../../../test/support/doctor/right-server.ts';
import type { CheckName } from './finding.ts';

const { now } = rightServer;
const answered = (from: number, until: number): NonNullable<Fault['page']> => ({
  fetched: {
    status: 200,
    body: '',
    dateAt: 0,
    certificate: { from: now + from * day, until: now + until * day },
  },
});
const policyOf = (...fields: readonly string[]): Fault => ({
  policy: {
    ...rightPolicy,
    body: ['version: STSv1', 'mode: enforce', `mx: ${host}`, ...fields, ''].join('\n'),
  },
});

const faults: readonly (readonly [name: string, check: CheckName, words: string, fault: Fault])[] = [
  [
    'an exchange that is an alias',
    'address',
    'is an alias of',
    { zone: { [`CNAME ${host}`]: 'www.other.example' } },
  ],
  [
    'AAAA of a server without IPv6',
    'address',
    'has no public IPv6 address',
    { server: { ownAddresses: ['192.0.2.1'] } },
  ],
  [
    'port 25 that is closed here',
    'mail',
    'Nothing answers at port 25',
    { closed: ['192.0.2.1', '2001:db8::25'] },
  ],
  ['port 25 that is closed by IPv6 alone', 'mail', '25 of 2001:db8::25', { closed: ['2001:db8::25'] }],
  [
    'DMARC for some mail',
    'dmarc',
    'on trial',
    { zone: { 'TXT _dmarc.example.org': 'v=DMARC1; p=reject; pct=20' } },
  ],
  ['DMARC on trial', 'dmarc', 'on trial', { zone: { 'TXT _dmarc.example.org': 'v=DMARC1; p=reject; t=y' } }],
  [
    'two DMARC records',
    'dmarc',
    'several',
    {
      zone: { 'TXT _dmarc.example.org': ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] },
    },
  ],
  ['SPF that ends otherwise', 'spf', 'lets others send', { zone: { 'TXT example.org': 'v=spf1 ~all' } }],
  [
    'a clock by which no certificate is valid',
    'clock',
    'certificate is not valid',
    { server: { clockAheadMs: 'invalid' } },
  ],
  ['a policy without end', 'mta-sts', 'no max_age', policyOf()],
  ['a policy that is forgotten at once', 'mta-sts', 'no max_age', policyOf('max_age: 60')],
  ['a page whose certificate ends soon', 'page', 'ends on', { page: answered(-80, 10) }],
  ['a page whose short certificate ends soon', 'page', 'ends on', { page: answered(-5.5, 0.5) }],
];

it.each(faults)('names %s, and nothing else', async (_name, check, words, fault) => {
  const found = faulty(await examineWith(fault));
  const named = found.find((one) => one.check === check && one.what.includes(words));
  expect(named, JSON.stringify(found)).toMatchObject({ fix: expect.stringMatching(/^[A-Z].*\S$/) as string });
  expect(found.filter((one) => one.check !== check)).toEqual([]);
});

it.each<[string, Fault]>([
  [
    'whose port 25 is not reached from behind its router',
    { server: { ownAddresses: [] }, closed: ['192.0.2.1'] },
  ],
  [
    'whose DMARC names the whole share',
    { zone: { 'TXT _dmarc.example.org': 'v=DMARC1;p=reject;pct=100;t=n' } },
  ],
  ['whose page has a new certificate', { page: answered(-5, 85) }],
  ['whose page has a new short certificate', { page: answered(-1, 5) }],
])('finds nothing wrong with a right server %s', async (_name, right) => {
  expect(faulty(await examineWith(right))).toEqual([]);
});
