import { expect, it } from 'vitest';

import {
  formatChecklist,
  formatCloudflare,
  formatZoneFile,
  isAnswered,
  ofZone,
  planZone,
} from './plan-zone.ts';

const given = {
  domain: 'example.org',
  host: 'mail.example.org',
  addresses: ['192.0.2.1', '2001:db8::25'],
  hasMtaSts: true,
  policyId: '1a2b',
};

it('is written as a zone file', () => {
  expect(formatZoneFile(planZone(given))).toBe(
    `mail.example.org.       300 IN A    192.0.2.1
mail.example.org.       300 IN AAAA 2001:db8::25
example.org.            300 IN MX   10 mail.example.org.
*.example.org.          300 IN MX   10 mail.example.org.
example.org.            300 IN TXT  "v=spf1 -all"
_dmarc.example.org.     300 IN TXT  "v=DMARC1; p=reject;"
mta-sts.example.org.    300 IN A    192.0.2.1
mta-sts.example.org.    300 IN AAAA 2001:db8::25
_mta-sts.example.org.   300 IN TXT  "v=STSv1; id=1a2b"
_smtp._tls.example.org. 300 IN TXT  "v=TLSRPTv1; rua=mailto:postmaster@example.org"
`,
  );
});

it('has no policy where MTA-STS is off', () => {
  const names = planZone({ ...given, hasMtaSts: false }).map(({ name }) => name);
  expect(names.filter((name) => name.includes('mta-sts'))).toEqual([]);
});

it('has no records of a server that is named after another domain', () => {
  const records = planZone({ ...given, domain: 'example.net' });
  expect(ofZone(records, 'example.net')).toEqual(records.slice(2));
  expect(ofZone(records, 'example.net').every(({ name }) => name.endsWith('example.net'))).toBe(true);
});

it('is written as calls of Cloudflare’s API, each with a body of its own', () => {
  const script = formatCloudflare(planZone(given));
  const bodies = [...script.matchAll(/^create '(.*)'$/gm)].map(
    ([, body = '']) => JSON.parse(body) as Readonly<Record<string, unknown>>,
  );
  expect(bodies).toHaveLength(10);
  expect(bodies[0]).toMatchObject({
    type: 'A',
    name: 'mail.example.org',
    content: '192.0.2.1',
    proxied: false,
  });
  expect(bodies[2]).toMatchObject({
    type: 'MX',
    name: 'example.org',
    content: 'mail.example.org',
    priority: 10,
  });
  expect(bodies[4]).toMatchObject({ type: 'TXT', content: '"v=spf1 -all"' });
});

it('is ticked off, record by record', () => {
  const records = planZone(given).slice(0, 3);
  expect(formatChecklist(records, ({ type }) => type === 'MX')).toBe(
    `[ ] mail.example.org  A     192.0.2.1  (the server: mail and page)
[ ] mail.example.org  AAAA  2001:db8::25  (the server: mail and page)
[x] example.org       MX    10 mail.example.org.  (where mail for the domain goes)
`,
  );
});

it.each<[index: number, answer: Parameters<typeof isAnswered>[1], isThere: boolean]>([
  [0, ['192.0.2.9', '192.0.2.1'], true],
  [0, ['192.0.2.9'], false],
  [0, [], false],
  [1, ['2001:DB8:0:0:0:0:0:25'], true],
  [1, ['2001:db8::26'], false],
  [2, [{ exchange: 'MAIL.example.org.', priority: 5 }], true],
  [2, [{ exchange: 'mx.other.example', priority: 5 }], false],
  [4, [['v=spf1 ', '-all'], ['other']], true],
  [4, [['v=spf1 mx -all']], true],
  [4, [['v=spf10 -all']], false],
  [4, [['spf1 -all']], false],
  [5, [['v=DMARC1;p=reject;rua=mailto:d@example.org']], true],
  [5, [['V = DMARC1 ; p=none']], true],
  [5, [['v=spf1 -all']], false],
  [8, [['v=STSv1; id=another']], true],
  [8, [['v=spf1 -all']], false],
])('finds record %i in %j: %s', (index, answer, isThere) => {
  const record = planZone(given)[index];
  expect(record && isAnswered(record, answer)).toBe(isThere);
});
