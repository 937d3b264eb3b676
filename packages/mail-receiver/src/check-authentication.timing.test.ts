import { describe, expect, it } from 'vitest';

import { check, good, mail } from '../../../test/support/mail/authentication-check.ts';
import { sign } from '../../../test/support/mail/signed-mail.ts';

describe('a message made to be slow', () => {
  const sized = (bytes: number, line: string): string => line.repeat(Math.ceil(bytes / line.length));
  const many = (count: number, line: string): string => line.repeat(count);

  it.each([
    ['a header of folds', `X: y\r\n${many(1900, ' z\r\n')}\r\n`],
    ['a header of short fields', `${many(1900, 'a:\r\n')}\r\n`],
    [
      'a signature that signs every field',
      `DKIM-Signature: v=1; a=rsa-sha256; d=a.test; s=s; bh=a; b=a; h=${many(14_000, 'a:')}\r\n${many(1900, 'b:\r\n')}\r\n`,
    ],
    ['a header without end', `From: news@good.test\r\n${many(10_000, 'X-Padding: y\r\n')}`],
    ['an endless chain', `${many(400, 'ARC-Seal: i=1; a=rsa-sha256; d=a.test; s=s; cv=none; b=a\r\n')}\r\n`],
  ])('is answered, and not given up after 6 s: %s', async (_, header) => {
    expect((await check(header)).dkim).not.toMatchObject({ reason: 'too costly to check' });
  });

  it('is given up after 6 s of processor time and is not failed but open', { timeout: 600_000 }, async () => {
    const signature = await sign(mail, good);
    const raw = signature.replace('your code', sized(100_000_000, 'x \t\r\n'));
    expect(await check(raw)).toMatchObject({
      dkim: { result: 'temperror', reason: 'too costly to check' },
      dmarc: { result: 'temperror' },
    });
  });

  it('is none for being one line of 30 MB', async () => {
    const raw = (await sign(mail, good)).replace('your code', 'x'.repeat(30_000_000));
    expect((await check(raw)).dkim).toMatchObject({ result: 'fail', reason: 'body hash did not verify' });
  });
});
