import { rootCertificates } from 'node:tls';

import { expect, it } from 'vitest';

import { makeAuthority, makeCertificate } from '../../../test/support/servers/certificate.ts';
import { findDoubt, findMissingIssuer } from './chain-fault.ts';

const authority = makeAuthority();
const { cert } = authority.issue('mail.example.org');

it('names the issuer that a chain lacks', () => {
  expect(findMissingIssuer(cert)).toBe('Authority of a test');
  expect(findMissingIssuer(cert + makeCertificate('another.example').cert)).toBe('Authority of a test');
  expect(findDoubt(cert, Date.now())).toEqual({
    level: 'warn',
    reason: 'the certificate of its issuer, Authority of a test, is missing',
  });
});

it('finds nothing missing where the issuer is there, or there is none, or it is a known root', () => {
  expect(findMissingIssuer(cert + authority.cert)).toBeUndefined();
  expect(findMissingIssuer(makeCertificate('self-signed.example').cert)).toBeUndefined();
  expect(findMissingIssuer(rootCertificates[0] ?? '')).toBeUndefined();
});

it('tells of a certificate that is not valid at the time', () => {
  const day = 86_400_000;
  const own = makeCertificate('mail.example.org').cert;
  expect(findDoubt(own, Date.now() + 2 * day)?.reason).toMatch(/^it ended on \d{4}-\d\d-\d\d \d\d:\d\d$/);
  expect(findDoubt(own, Date.now() - 2 * day)?.reason).toMatch(/^it is not valid before /);
  expect(findDoubt(own, Date.now())).toBeUndefined();
});
