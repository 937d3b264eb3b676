import { expect, it } from 'vitest';

import { LookUpError, type LookUp } from '#mail-receiver/dns-resolver';
import { makeCertificate } from '../../../test/support/servers/certificate.ts';
import { checkDomain, type DomainCheck } from './check-domain.ts';

type Zone = Readonly<Record<string, Awaited<ReturnType<LookUp>> | 'down'>>;

/** `MX name`, `A name` and so on → records; what is absent does not exist. */
async function check(zone: Zone, pem?: string): Promise<DomainCheck[]> {
  const lookUp: LookUp = (name, type) => {
    const records = zone[`${type} ${name}`];
    if (records === 'down') return Promise.reject(new LookUpError('ETIMEOUT', 'down'));
    return records ? Promise.resolve(records) : Promise.reject(new LookUpError('ENODATA', 'none'));
  };
  const lookUps = () => ({ lookUp, hasFailed: false, end: () => undefined });
  return checkDomain(
    {
      hostname: 'MX.example.org',
      lookUps,
      readCertificate: () => Promise.resolve(pem === undefined ? 'off' : { pem }),
    },
    'example.org',
  );
}

const good: Zone = {
  'MX example.org': [{ exchange: 'mx.example.org', priority: 10 }],
  'A mx.example.org': ['192.0.2.1'],
  'TXT example.org': [['v=spf1 ', '-all'], ['something else']],
};

async function stateOf(what: DomainCheck['what'], zone: Zone): Promise<string[]> {
  return (await check(zone)).filter((one) => one.what === what).map(({ state }) => state);
}

it('finds nothing to say of a domain that is set up', async () => {
  const checks = await check(good);
  expect(checks.map(({ what, state }) => [what, state])).toEqual([
    ['mx', 'ok'],
    ['address', 'ok'],
    ['tls', 'warning'],
    ['spf', 'ok'],
  ]);
});

it.each([
  ['no MX', [], 'failed'],
  ['a null MX', [{ exchange: '', priority: 0 }], 'failed'],
  ['the MX of another', [{ exchange: 'mail.other.example', priority: 5 }], 'warning'],
  ['name servers that are down', 'down', 'unknown'],
] as const)('with %s says so', async (_what, records, state) => {
  expect(await stateOf('mx', { ...good, 'MX example.org': records })).toEqual([state]);
});

it('tells a name without address from one that could not be asked for', async () => {
  expect(await stateOf('address', { ...good, 'A mx.example.org': [] })).toEqual(['failed']);
  expect(await stateOf('address', { ...good, 'A mx.example.org': 'down' })).toEqual(['unknown']);
  expect(
    await stateOf('address', { ...good, 'A mx.example.org': [], 'AAAA mx.example.org': ['2001:db8::1'] }),
  ).toEqual(['ok']);
});

it.each([
  { addresses: [['127.0.0.1'], []], state: 'failed', words: 'no other host' },
  { addresses: [['0.0.0.0'], ['::']], state: 'failed', words: 'no other host' },
  { addresses: [[], ['::1']], state: 'failed', words: 'no other host' },
  { addresses: [[], ['::ffff:127.0.0.1']], state: 'failed', words: 'no other host' },
  { addresses: [['239.1.2.3'], ['ff02::1']], state: 'failed', words: 'no other host' },
  { addresses: [['10.0.0.7'], []], state: 'warning', words: 'its own network' },
  { addresses: [['127.0.0.1', '192.168.1.4'], []], state: 'warning', words: 'its own network' },
  {
    addresses: [
      ['172.31.0.1', '100.64.0.1', '169.254.1.1'],
      ['fd00::1', 'fe80::1'],
    ],
    state: 'warning',
    words: 'its own network',
  },
  { addresses: [['192.0.2.1', '10.0.0.7'], []], state: 'warning', words: 'cannot reach all' },
  { addresses: [['192.0.2.1'], ['::1']], state: 'warning', words: 'cannot reach all' },
  { addresses: [['192.0.2.1'], 'down'], state: 'unknown', words: 'could not be asked for' },
  { addresses: [['192.0.2.1'], ['2001:db8::1']], state: 'ok', words: '192.0.2.1, 2001:db8::1.' },
] as const)('takes the addresses $addresses of an MX for $state', async ({ addresses, state, words }) => {
  const [ipv4, ipv6] = addresses;
  const zone = { ...good, 'A mx.example.org': ipv4, 'AAAA mx.example.org': ipv6 } as Zone;
  const found = (await check(zone)).find(({ what }) => what === 'address');
  expect(found).toMatchObject({ state, detail: expect.stringContaining(words) as string });
});

it('does not call right what it has not checked', async () => {
  const names = Array.from({ length: 7 }, (_, at) => `mx${at}.example.org`);
  const many: Zone = {
    ...good,
    'MX example.org': [...names, 'mx.example.org'].map((exchange) => ({ exchange, priority: 10 })),
    ...Object.fromEntries(names.map((name) => [`A ${name}`, ['192.0.2.1']])),
  };
  expect((await check(many)).filter(({ state }) => state === 'unknown')).toEqual([
    {
      what: 'address',
      state: 'unknown',
      detail: 'Only 5 of the MX were checked. Let fewer hosts receive mail.',
    },
  ]);
  // Without an MX, the certificate is compared with the name in the greeting.
  const other = makeCertificate('other.example').cert;
  const [, tls] = await check({ ...good, 'MX example.org': [] }, other);
  expect(tls).toMatchObject({ what: 'tls', state: 'warning' });
});

it.each([
  [[], 'warning'],
  [[['v=spf1 mx -all']], 'warning'],
  [[['v=spf1 -all'], ['v=spf1 -all']], 'warning'],
  [[['v=spf10 -all']], 'warning'],
  ['down', 'unknown'],
] as const)('takes TXT %j for SPF that is %s', async (records, state) => {
  expect(await stateOf('spf', { ...good, 'TXT example.org': records })).toEqual([state]);
});

it('looks at the certificate: whose it is, until when, and who signed it', async () => {
  const tlsOf = async (zone: Zone, pem?: string) =>
    (await check(zone, pem)).find(({ what }) => what === 'tls');
  const own = makeCertificate('mx.example.org').cert;
  expect(await tlsOf(good)).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('not offered') as string,
  });
  expect(await tlsOf(good, own)).toMatchObject({
    state: 'warning',
    detail: expect.stringContaining('self-signed') as string,
  });
  const other = makeCertificate('other.example').cert;
  expect(await tlsOf(good, other)).toMatchObject({
    detail:
      'The certificate is not for mx.example.org, which MX names. Get a certificate for mx.example.org.',
  });
  const late = {
    hostname: 'mx.example.org',
    lookUps: undefined,
    readCertificate: () => Promise.resolve({ pem: own }),
  };
  const early = await checkDomain({ ...late, clock: () => Date.now() - 2 * 86_400_000 }, 'example.org');
  expect(early.find(({ what }) => what === 'tls')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('not valid before') as string,
  });
  const checks = await checkDomain({ ...late, clock: () => Date.now() + 2 * 86_400_000 }, 'example.org');
  expect(checks.at(-1)).toMatchObject({ what: 'tls', state: 'failed' });
});
