import { describe, expect, it } from 'vitest';

import { readSpf } from './authentication-results.ts';

const id = 'mx.cloudflare.net';

function headOf(...fields: readonly string[]): Buffer {
  return Buffer.from(
    `${fields.join('\r\n')}\r\n\r\nAuthentication-Results: ${id}; spf=pass smtp.mailfrom=b@x.test\r\n`,
  );
}

describe('readSpf', () => {
  it.each([
    [`${id}; spf=pass smtp.mailfrom=a@Example.org`, 'pass', 'example.org'],
    [
      `${id} 1; dkim=pass header.d=x.test; spf=softfail (a (b) ; spf=pass) smtp.mailfrom=example.org`,
      'softfail',
      'example.org',
    ],
    [
      `${id};\r\n\tspf=none (no policy) smtp.helo=h.test;\r\n spf=fail smtp.mailfrom="a b"@example.org`,
      'fail',
      'example.org',
    ],
    [`${id}; spf=pass smtp.helo=h.test`, 'pass', 'h.test'],
    [
      `${id}; SPF=PASS reason="spf=fail; smtp.mailfrom=x@y.test" smtp.mailfrom=a@example.org`,
      'pass',
      'example.org',
    ],
    [
      `${id}; x=y note="${'a'.repeat(2000)}; spf=pass smtp.mailfrom=c@y.test"; spf=fail smtp.mailfrom=a@example.org`,
      'fail',
      'example.org',
    ],
    [`${id}; x="never closed; spf=fail smtp.mailfrom=a@example.org`, 'fail', 'example.org'],
    [`${id}; none`, 'none', null],
    [`${id}; spf=surprising smtp.mailfrom=a@example.org`, 'none', 'example.org'],
  ])('reads %s', (value, result, domain) => {
    const head = headOf('Received: from a by b', `Authentication-Results: ${value}`, 'Subject: x');
    expect(readSpf(head, id)).toEqual({ result, domain });
  });

  it.each([
    ['another server', [`Authentication-Results: x.test; spf=pass smtp.mailfrom=a@example.org`]],
    ['a name that only begins like it', [`Authentication-Results: ${id}.x.test; spf=pass`]],
    ['a comment', [`Authentication-Results: (${id}) x.test; spf=pass`]],
    ['a host before', ['Received: a', 'Received: b', `Authentication-Results: ${id}; spf=pass`]],
    ['the body', ['Subject: x']],
    ['another field', [`X-Authentication-Results: ${id}; spf=pass`]],
  ])('believes nothing that comes from %s', (_title, fields) => {
    expect(readSpf(headOf(...fields), id)).toBeUndefined();
  });

  it('believes the topmost field alone', () => {
    const fields = [`Authentication-Results: ${id}; dkim=pass`, `Authentication-Results: ${id}; spf=pass`];
    expect(readSpf(headOf(...fields), id)).toEqual({ result: 'none', domain: null });
  });

  it('takes linear time', () => {
    const head = headOf(`Authentication-Results: ${id}; ${'("\\'.repeat(15_000)}`);
    expect(readSpf(head, id)).toEqual({ result: 'none', domain: null });
  });
});
