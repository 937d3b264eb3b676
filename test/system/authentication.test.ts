// SPF, DKIM, DMARC and ARC of mail sent to the built service, with unbound as the DNS, as read-mail shows it; and
// refusal at end of data.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Checked,
  type Envelope,
  readNewest,
  refusalOf,
  send,
  until,
} from '../support/mail/checked-mail.ts';
import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { createEd25519Key, createRsaKey, mailFrom, seal, sign } from '../support/mail/signed-mail.ts';
import { startUnbound, type Unbound } from '../support/servers/unbound.ts';

const rsa = createRsaKey();
const weak = createRsaKey(512);
const ed25519 = createEd25519Key();
const good = { domain: 'good.example', selector: 'rsa', key: rsa };

const zone = {
  texts: {
    'good.example': 'v=spf1 ip4:127.0.0.1 ip6:::1 -all',
    'rsa._domainkey.good.example': rsa.record,
    'ed._domainkey.good.example': ed25519.record,
    'weak._domainkey.good.example': weak.record,
    'gone._domainkey.good.example': 'v=DKIM1; p=',
    '_dmarc.good.example': 'v=DMARC1; p=reject; sp=quarantine',
    'forged.example': 'v=spf1 ip4:192.0.2.1 -all',
    '_dmarc.forged.example': 'v=DMARC1; p=reject',
    'testing.example': 'v=spf1 -all',
    '_dmarc.testing.example': 'v=DMARC1; p=reject; pct=50',
    'strict.example': 'v=spf1 -all',
    'rsa._domainkey.mail.strict.example': rsa.record,
    '_dmarc.strict.example': 'v=DMARC1; p=reject; adkim=s; aspf=s',
    'soft.example': 'v=spf1 ~all',
    'loop.example': 'v=spf1 include:loop.example -all',
    'half.example': 'v=spf1 include:spf.broken.example -all',
    '_dmarc.half.example': 'v=DMARC1; p=reject',
    'client.example': 'v=spf1 ip4:127.0.0.1 -all',
  },
  refused: ['broken.example'],
};

const cleanups: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

async function startService(servers: string): Promise<{ mayfly: MayflyProcess; dataDir: string }> {
  const data = await createDataFolder();
  cleanups.push(data.remove);
  const settings = { MAYFLY_DNS_SERVERS: servers, MAYFLY_DOMAINS: 'mayfly.test,strict.test' };
  const mayfly = await startMayfly(data.path, { ...settings, MAYFLY_LIMITS_RATE: 'off' });
  cleanups.push(() => mayfly.stop());
  return { mayfly, dataDir: data.path };
}

describe('with a name server', () => {
  let mayfly: MayflyProcess;
  let dataDir: string;
  let unbound: Unbound;
  let lent: Lent;

  beforeAll(async () => {
    unbound = await startUnbound(zone);
    cleanups.push(() => unbound.close());
    ({ mayfly, dataDir } = await startService(unbound.server));
    // The demo domain is added last.
    lent = await mayfly.lend({ domain_id: '2' });
    expect(lent.email).toMatch(/@mayfly\.test$/);
  });

  async function deliver(raw: string, envelope: Partial<Envelope> = {}): Promise<Checked> {
    await send(mayfly, raw, { to: lent.email, ...envelope });
    return readNewest(mayfly, lent);
  }

  const fromGood = { from: 'news@good.example' };

  it.each([
    ['RSA, relaxed', good],
    ['RSA, simple', { ...good, canonicalization: 'simple/simple' }],
    ['Ed25519', { ...good, selector: 'ed', key: ed25519, algorithm: 'ed25519-sha256' }],
  ])('passes mail of an allowed host with a valid signature: %s', async (_, signature) => {
    const checked = await deliver(await sign(mailFrom('news@good.example'), signature), fromGood);
    expect(checked.authentication).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' });
    expect(checked.authentication_details).toEqual({
      spf: { domain: 'good.example', reason: null },
      dkim: {
        domain: 'good.example',
        reason: null,
        signatures: [{ domain: 'good.example', selector: signature.selector, result: 'pass', reason: null }],
      },
      dmarc: { domain: 'good.example', policy: 'reject', reason: null },
      arc: { domain: null, reason: null },
    });
  });

  it('has no verdict on mail whose domains publish nothing', async () => {
    const checked = await deliver(mailFrom('me@nowhere.example'), { from: 'me@nowhere.example' });
    expect(checked.authentication).toEqual({ spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none' });
  });

  it('fails mail of a host that may not send for the domain', async () => {
    const checked = await deliver(mailFrom('ceo@forged.example'), { from: 'ceo@forged.example' });
    expect(checked.authentication).toMatchObject({ spf: 'fail', dkim: 'none', dmarc: 'fail' });
    expect(checked.authentication_details.dmarc).toEqual({
      domain: 'forged.example',
      policy: 'reject',
      reason: null,
    });
  });

  it.each([
    ['the body was altered', ['123456', '123457'], 'fail: body hash did not verify'],
    ['a signed field was altered', ['Your code', 'My code'], 'fail: bad signature'],
    ['the key is not published', ['s=rsa', 's=none'], 'permerror: no key'],
    ['the key was withdrawn', ['s=rsa', 's=gone'], 'permerror: invalid public key'],
  ] as const)('reports when %s', async (_, [from, to], expected) => {
    const signed = await sign(mailFrom('news@good.example'), good);
    const { authentication, authentication_details: details } = await deliver(signed.replace(from, to), {
      from: 'me@nowhere.example',
    });
    expect(authentication.dmarc).toBe('fail');
    expect(details.dkim.domain).toBe('good.example');
    expect(`${authentication.dkim}: ${details.dkim.reason}`).toBe(expected);
  });

  it('accepts no expired signature, and none by a key of 512 bits', async () => {
    const expired = await sign(mailFrom('news@good.example'), {
      ...good,
      expires: new Date(Date.now() - 60_000),
    });
    expect(await deliver(expired)).toMatchObject({
      authentication: { dkim: 'fail', dmarc: 'fail' },
      authentication_details: { dkim: { reason: 'expired' } },
    });
    const weakly = await sign(mailFrom('news@good.example'), { ...good, selector: 'weak', key: weak });
    expect(await deliver(weakly)).toMatchObject({
      authentication: { dkim: 'policy', dmarc: 'fail' },
      authentication_details: { dkim: { reason: 'weak-key' } },
    });
  });

  it('uses the organisation’s policy for its subdomains, and its signature too unless that is strict', async () => {
    const aligned = await deliver(await sign(mailFrom('news@mail.good.example'), good));
    expect(aligned).toMatchObject({
      authentication: { dkim: 'pass', dmarc: 'pass' },
      authentication_details: { dmarc: { domain: 'mail.good.example', policy: 'quarantine' } },
    });
    const signature = { ...good, domain: 'mail.strict.example' };
    const strict = await deliver(await sign(mailFrom('news@strict.example'), signature));
    expect(strict.authentication).toMatchObject({ dkim: 'pass', dmarc: 'fail' });
  });

  it('lets no signature of one domain vouch for another', async () => {
    const checked = await deliver(await sign(mailFrom('ceo@forged.example'), good), fromGood);
    expect(checked.authentication).toMatchObject({ spf: 'pass', dkim: 'pass', dmarc: 'fail' });
  });

  it('chooses neither between two domains in From, nor between two From fields', async () => {
    const two = await sign(mailFrom('news@good.example, ceo@forged.example'), good);
    expect((await deliver(two, fromGood)).authentication).toMatchObject({ dkim: 'pass', dmarc: 'permerror' });
    const fields = `From: ceo@forged.example\r\n${await sign(mailFrom('news@good.example'), good)}`;
    expect((await deliver(fields, fromGood)).authentication).toMatchObject({ dmarc: 'permerror' });
  });

  it('does not pass a signed message with another field before the signed one', async () => {
    const signed = await sign(mailFrom('news@good.example'), good);
    for (const field of ['Subject: Pay here', 'From: news@good.example', 'Date: now', 'To: x@evil.example']) {
      const checked = await deliver(`${field}\r\n${signed}`, { from: 'x@nowhere.example' });
      expect(checked.authentication).toMatchObject({ spf: 'none', dkim: 'policy' });
      expect(checked.authentication.dmarc).not.toBe('pass');
      expect(checked.authentication_doubt).toMatch(/ is there twice$/);
    }
  });

  it.each([
    [
      'a comment of 17 KB before the address',
      `(${'c'.repeat(900)}\r\n `.repeat(19) + ')'.repeat(19) + ' <news@good.example>',
    ],
    ['a domain that goes on after a slash', 'service@good.example/paypal.example'],
    ['a domain that goes on after a question mark', '<service@good.example?paypal.example>'],
    ['a domain that goes on after a number sign', '<service@good.example#paypal.example>'],
    ['a domain that goes on after a backslash', '<service@good.example\\paypal.example>'],
    ['two addresses of one domain', 'news@good.example, service@good.example'],
  ])('has no verdict on a From with %s, whatever SPF and DKIM say', async (_, from) => {
    const checked = await deliver(await sign(mailFrom(from), good), fromGood);
    expect(checked.authentication).toMatchObject({ spf: 'pass', dmarc: 'permerror' });
    expect(checked.authentication_details.dmarc.domain).toBeNull();
  });

  it('takes a folded name for no From, and verifies nothing beside it', async () => {
    const raw = mailFrom('x').replace(/From: x\r\n/, 'X-Mailer: a\r\nFrom\r\n : news@good.example\r\n');
    const checked = await deliver(await sign(raw, good), fromGood);
    expect(checked.authentication).toMatchObject({ spf: 'pass', dkim: 'policy', dmarc: 'permerror' });
    expect(checked.authentication_doubt).toBe('the header can be read in more than one way');
  });

  it('checks SPF for the HELO name when the reverse-path is empty', async () => {
    const checked = await deliver(mailFrom('me@nowhere.example'), { from: '', helo: 'client.example' });
    expect(checked.authentication_details.spf).toMatchObject({ domain: 'client.example' });
    expect(checked.authentication.spf).toBe('pass');
  });

  it.each([
    ['soft.example', 'softfail', null],
    ['loop.example', 'permerror', 'Too many DNS requests'],
    ['half.example', 'temperror', 'DNS timeout'],
    ['broken.example', 'temperror', 'DNS timeout'],
  ])('finds the SPF of %s to be %s', async (domain, result, reason) => {
    const checked = await deliver(mailFrom(`me@${domain}`), { from: `me@${domain}` });
    expect(checked.authentication.spf).toBe(result);
    expect(checked.authentication_details.spf.reason).toBe(reason);
  });

  it('reports DMARC as open, not failed, while SPF is', async () => {
    const checked = await deliver(mailFrom('me@half.example'), { from: 'me@half.example' });
    expect(checked.authentication.dmarc).toBe('temperror');
  });

  it('follows an ARC chain, and reports when the message was altered on the way', async () => {
    const sealed = await seal(mailFrom('me@nowhere.example'), good);
    expect(await deliver(sealed)).toMatchObject({
      authentication: { arc: 'pass' },
      authentication_details: { arc: { domain: 'good.example', reason: null } },
    });
    expect((await deliver(sealed.replace('123456', '123457'))).authentication.arc).toBe('fail');
  });

  it('passes 36 MB of signed mail, whatever its lines, while others are served', async () => {
    const domain = { from: 'news@good.example' };
    const large = await mayfly.lend();
    const raw = await sign(mailFrom('news@good.example', `${'A'.repeat(76)}\r\n`.repeat(450_000)), good);
    await send(mayfly, raw, { to: large.email, ...domain });
    const [listed] = await mayfly.checkMail(large.token);
    const reading = readNewest(mayfly, large);
    let isRead = false;
    const noted = reading.then(() => (isRead = true));
    await mayfly.checkMail(lent.token);
    expect(isRead).toBe(false);
    expect(listed?.size).toBeGreaterThan(35_000_000);
    await noted;
    const known = await until(
      () => readNewest(mayfly, large),
      ({ authentication }) => authentication.dkim !== 'temperror',
    );
    expect(known.authentication).toMatchObject({ dkim: 'pass', dmarc: 'pass' });
  });

  describe('a domain that refuses what fails DMARC', () => {
    let strict: Lent;

    beforeAll(async () => {
      const added = await runMayfly(dataDir, ['domain', 'add', 'strict.test', '--refuse-dmarc-reject']);
      expect(added).toMatchObject({ status: 0 });
      const domains = await runMayfly(dataDir, ['domain', 'list']);
      const id = /^(\d+) +strict\.test +active, refuses DMARC reject/m.exec(domains.stdout)?.[1];
      strict = await mayfly.lend({ domain_id: id ?? '' });
      expect(strict.email).toMatch(/@strict\.test$/);
    });

    const forged = mailFrom('ceo@forged.example');
    const envelope = { from: 'ceo@forged.example' };

    it('replies 550 5.7.1 and stores nothing', async () => {
      const refusal = await refusalOf(mayfly, forged, { ...envelope, to: strict.email });
      expect(refusal).toBe('550 5.7.1 Refused by the DMARC policy of the From domain');
      expect(await mayfly.checkMail(strict.token)).toEqual([]);
    });

    it('refuses for all recipients of the message', async () => {
      const before = await mayfly.checkMail(lent.token);
      const refusal = await refusalOf(mayfly, forged, { ...envelope, to: [lent.email, strict.email] });
      expect(refusal).toMatch(/^550 5\.7\.1 /);
      expect(await mayfly.checkMail(lent.token)).toEqual(before);
    });

    it.each([
      ['passes', 'news@good.example'],
      ['fails where the policy is still being tried out', 'me@testing.example'],
      ['comes from a domain without a policy', 'me@nowhere.example'],
      ['cannot be judged now', 'me@half.example'],
    ])('accepts mail that %s', async (_, from) => {
      expect(await refusalOf(mayfly, mailFrom(from), { from, to: strict.email })).toBeUndefined();
    });

    it('does not affect other domains', async () => {
      expect(await refusalOf(mayfly, forged, { ...envelope, to: lent.email })).toBeUndefined();
    });

    it('accepts everything again once that is switched off', async () => {
      await runMayfly(dataDir, ['domain', 'add', 'strict.test', '--accept-dmarc-reject']);
      expect(await refusalOf(mayfly, forged, { ...envelope, to: strict.email })).toBeUndefined();
    });
  });

  it('stores the result: the name server is not queried again', async () => {
    await deliver(await sign(mailFrom('news@good.example'), good), fromGood);
    // A busy machine may not have the result at the first read.
    const first = await until(
      () => readNewest(mayfly, lent),
      ({ authentication }) => authentication.dkim === 'pass',
    );
    await unbound.close();
    await mayfly.stop();
    mayfly = await startMayfly(dataDir, { MAYFLY_DNS_SERVERS: unbound.server });
    cleanups.push(() => mayfly.stop());
    expect(await mayfly.readMail(lent.token, first.id)).toMatchObject({
      authentication: first.authentication,
    });
  });
});
