import { describe, expect, it } from 'vitest';

import {
  check,
  createTable,
  good,
  key,
  mail,
  texts,
} from '../../../test/support/mail/authentication-check.ts';
import { mailFrom, seal, sign, signAbsent } from '../../../test/support/mail/signed-mail.ts';
import { signaturesMax } from './authentication.ts';

describe('SPF as another host found it', () => {
  it('counts for DMARC, without a look-up', async () => {
    const given = { mailFrom: 'news@good.test', remoteAddress: '' };
    const spf = { result: 'pass', domain: 'good.test' } as const;
    const found = await check(mail, { ...given, spf });
    expect(found.spf).toEqual({ ...spf, reason: null });
    expect(found.dmarc.result).toBe('pass');
    expect((await check(mail, given)).dmarc.result).toBe('fail');
  });
});

describe('a signature', () => {
  it('that verifies passes DMARC where SPF fails', async () => {
    const found = await check(await sign(mail, good), { mailFrom: 'news@good.test' });
    expect(found).toMatchObject({
      spf: { result: 'fail', domain: 'good.test' },
      dkim: { result: 'pass', domain: 'good.test' },
      dmarc: { result: 'pass', policy: 'reject', isTesting: false },
      arc: { result: 'none' },
    });
  });

  it('that leaves From unsigned vouches for nothing', async () => {
    const found = await check(await sign(mail, { ...good, headerList: 'Subject:Date' }));
    expect(found.dkim).toMatchObject({ result: 'permerror', reason: 'From is not signed' });
    expect(found.dmarc.result).toBe('fail');
  });

  it('that leaves a part of the body unsigned vouches for nothing', async () => {
    const raw = await sign(mail, { ...good, maxBodyLength: 7 });
    expect((await check(raw)).dkim).toMatchObject({
      result: 'policy',
      reason: 'only a part of the body is signed',
    });
    const longer = await check(`${raw}And more of it.\r\n`);
    expect(longer).toMatchObject({ dkim: { result: 'policy' }, dmarc: { result: 'fail' } });
  });

  it('with SHA-1 vouches for nothing', async () => {
    const found = await check(await sign(mail, { ...good, algorithm: 'rsa-sha1' }));
    expect(found.dkim).toMatchObject({ result: 'permerror', reason: 'signed with SHA-1' });
  });

  it('is preferred when it is of the From domain', async () => {
    const both = await sign(await sign(mail, good), { ...good, domain: 'other.test' });
    const { dkim } = await check(both);
    expect(dkim.signatures.map(({ domain }) => domain)).toEqual(['other.test', 'good.test']);
    expect(dkim).toMatchObject({ result: 'pass', domain: 'good.test' });
  });

  it('leaves DKIM and DMARC undecided when its key cannot be fetched', async () => {
    const down = await sign(mailFrom('news@down.test'), { ...good, domain: 'down.test' });
    expect(await check(down, { fromDomain: 'down.test' })).toMatchObject({
      dkim: { result: 'temperror', domain: 'down.test' },
      dmarc: { result: 'temperror', isTesting: true },
    });
  });

  it('is looked at only if it is one of the first', async () => {
    const bad = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=good.test; s=s; h=From; bh=AAAA; b=AAAA\r\n`;
    const signed = await sign(mail, good);
    const last = await check(bad.repeat(signaturesMax - 1) + signed);
    expect(last.dkim.signatures).toHaveLength(signaturesMax);
    expect(last.dkim.result).toBe('pass');
    const late = await check(bad.repeat(signaturesMax) + signed);
    expect(late.dkim.signatures).toHaveLength(signaturesMax);
    expect(late.dkim.result).toBe('fail');
  });

  it('without a message id, a body or line ends is none', async () => {
    for (const raw of ['', '\r\n', 'DKIM-Signature', 'DKIM-Signature:', 'DKIM-Signature: ;;=;\r\n\r\n']) {
      expect((await check(raw)).dkim.result).toBe('none');
    }
  });
});

it('says open, not failed, when the DMARC record cannot be had now', async () => {
  expect((await check(mail, { fromDomain: 'silent.test' })).dmarc.result).toBe('temperror');
});

it('says open, not failed, when the key of an ARC seal cannot be had now', async () => {
  const sealed = await seal(mail, { ...good, domain: 'down.test' });
  expect((await check(sealed)).arc).toMatchObject({ result: 'temperror', domain: 'down.test' });
});

it('has no SPF for what is no address and no domain', async () => {
  const given = [
    { remoteAddress: '' },
    { mailFrom: 'news@[192.0.2.1]' },
    { helo: '[192.0.2.1]' },
    { helo: '' },
    { mailFrom: 'news@' },
    { mailFrom: 'news@a b' },
  ];
  for (const one of given) expect((await check(mail, one)).spf.result).toBe('none');
});

it('asks for international domains by their ASCII form', async () => {
  const resolver = createTable();
  await check(mail, { mailFrom: 'me@b\u00fccher.test', fromDomain: 'b\u00fccher.test' }, resolver);
  expect(resolver.asked).toEqual(['xn--bcher-kva.test', '_dmarc.xn--bcher-kva.test']);
});

describe('a signed message that was added to', () => {
  const forgeries: [string, (signed: string) => string][] = [
    'Subject: Pay here',
    'From: ceo@bank.test',
    'Date: Sun, 22 Nov 2026 08:00:00 +0000',
    'To: somebody@else.test',
    'Message-ID: <x@evil.test>',
  ].map((field) => [`with ${field} before`, (signed) => `${field}\r\n${signed}`]);

  it.each(forgeries)('%s is `policy`', async (_, forge) => {
    const found = await check(forge(await sign(mail, good)));
    expect(found.dkim).toMatchObject({ result: 'policy', domain: 'good.test' });
    expect(found.dkim.reason).toMatch(/^[\w-]+ is there twice$/);
    expect(found.dmarc.result).not.toBe('pass');
    expect(found.doubt).toBe(found.dkim.reason);
  });

  it.each([
    ...['Reply-To', 'MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition'],
    ...['Sender', 'Cc', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ])('with another %s is `policy`, whatever its case', async (name) => {
    const signed = await sign(`${name}: a@b.test\r\n${mail}`, good);
    expect(await check(signed)).toMatchObject({ dkim: { result: 'pass' } });
    const forged = await check(`${name.toUpperCase()} \t: x@evil.test\r\n${signed}`);
    expect(forged).toMatchObject({ dkim: { result: 'policy' }, dmarc: { result: 'fail' } });
  });

  it('passes with fields that stand as often as hosts pass it on', async () => {
    const hops = 'Received: from a.test\r\nReceived: from b.test\r\nX-Spam: no\r\nX-Spam: no\r\n';
    expect(await check(hops + (await sign(mail, good)))).toMatchObject({
      dkim: { result: 'pass' },
      dmarc: { result: 'pass' },
    });
  });

  it.each([
    ['a folded name', 'X-Mailer: a\r\nSubject\r\n : Pay here\r\n'],
    ['a folded From', 'X-Mailer: a\r\nFrom\r\n : x@evil.test\r\n'],
    ['a line that is no field', 'Pay here\r\n'],
    ['a fold without a field', ' Pay here\r\n'],
    ['a lone carriage return', 'X: y\rSubject: Pay here\r\n'],
    ['NUL', 'X: y\0Subject: Pay here\r\n'],
    ['a vertical tab', 'X: y\vSubject: Pay here\r\n'],
    ['a form feed', 'X: y\fSubject: Pay here\r\n'],
    ['a fold by a vertical tab', 'X: y\r\n\vSubject: Pay here\r\n'],
    ['a name with a control character', 'Subject\u0001: Pay here\r\n'],
  ])('by %s is not verified at all', async (_, added) => {
    const found = await check(added + (await sign(mail, good)), { mailFrom: 'news@spf.test' });
    expect(found).toMatchObject({
      dkim: { result: 'policy', domain: null, reason: 'the header can be read in more than one way' },
      dmarc: { result: 'permerror', domain: null },
      doubt: 'the header can be read in more than one way',
    });
  });

  it.each(['\r\n', '\n'])('by an empty line %j before it is not verified', async (line) => {
    const found = await check(line + (await sign(mail, good)), { fromDomain: null });
    expect(found).toMatchObject({
      dkim: { result: 'none' },
      dmarc: { result: 'permerror' },
      doubt: 'the header can be read in more than one way',
    });
  });

  it('is `policy` where nothing signed its Subject', async () => {
    const headerList = 'From:Date:To';
    const found = await check(await sign(mail, { ...good, headerList }));
    expect(found).toMatchObject({
      dkim: { result: 'policy', reason: 'Subject is not signed' },
      dmarc: { result: 'fail' },
    });
    const plain = mail.replace(/Subject: .*\r\n/, '');
    const signed = await sign(plain, { ...good, headerList });
    expect(await check(signed)).toMatchObject({ dkim: { result: 'pass' } });
    expect(await check(`Subject: Pay here\r\n${signed}`)).toMatchObject({ dkim: { result: 'policy' } });
  });

  it('fails where the signer signed that there is no other', async () => {
    const headerList = 'From:From:Subject:Subject:Date:To:Reply-To';
    const signed = signAbsent(mail, { ...good, headerList });
    expect(await check(signed)).toMatchObject({ dkim: { result: 'pass' }, dmarc: { result: 'pass' } });
    for (const added of ['Reply-To: x@evil.test', 'Subject: Pay here', 'From: ceo@bank.test']) {
      expect((await check(`${added}\r\n${signed}`)).dkim).toMatchObject({
        result: 'fail',
        reason: 'bad signature',
      });
    }
  });

  it('does not pass DMARC by SPF where From stands twice or cannot be read', async () => {
    const given = { mailFrom: 'news@spf.test', fromDomain: 'spf.test' };
    const sent = mailFrom('news@spf.test');
    expect(await check(sent, given)).toMatchObject({ spf: { result: 'pass' }, dmarc: { result: 'pass' } });
    for (const added of [
      'From: ceo@bank.test\r\n',
      'FROM : news@spf.test\r\n',
      'From\r\n : ceo@bank.test\r\n',
    ]) {
      expect(await check(added + sent, given)).toMatchObject({
        spf: { result: 'pass' },
        dmarc: { result: 'permerror', domain: null },
      });
    }
    const twice = await check(`Subject: Pay here\r\n${sent}`, given);
    expect(twice).toMatchObject({ dmarc: { result: 'pass' }, doubt: 'Subject is there twice' });
  });
});

describe('a domain that is none', () => {
  it.each(['/', '?', '#', '\\', ':1', '@x'])(
    'in a signature does not verify another: good.test%s.evil.test',
    async (cut) => {
      const domain = `good.test${cut}.evil.test`;
      texts[`s._domainkey.${domain}`] = key.record;
      const signed = await sign(mail, { ...good, domain });
      const found = await check(signed);
      expect(found.dkim.result).not.toBe('pass');
      expect(found.dmarc.result).toBe('fail');
    },
  );

  it.each([
    'evil.test/good.test',
    'good.test/.evil.test',
    'good.test?x',
    'good.test#x',
    'good.test\\x',
    'good.test.',
  ])('in From or in the envelope is not judged: %s', async (domain) => {
    const found = await check(mail, { mailFrom: `news@${domain}`, fromDomain: domain });
    expect(found.spf.result).toBe('none');
    expect(found.dmarc).toMatchObject({ result: 'permerror', domain: null });
  });
});
