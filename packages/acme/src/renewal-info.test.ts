import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';

import { expect, it } from 'vitest';

import { issueCertificate } from '../../../test/support/acme/issue-certificate.ts';
import { der, tag, toExtension } from '../../certificates/src/der.ts';
import { type AcmeAnswer, readRetryAfter } from './acme-client.ts';
import { toServerName } from './identifier.ts';
import { chooseRenewal, readRenewal, toCertificateId, toRenewalUrl } from './renewal-info.ts';

function answer(json: unknown, retryAfterMs?: number): AcmeAnswer {
  return { json, text: '', location: undefined, retryAfterMs };
}

it('names a certificate by its issuer’s key and its serial number with the sign byte, as RFC 9773 §4.1 does', () => {
  const keyId = Buffer.from('69885b6b87464041e1b37b847ba0ae2cde01c8d4', 'hex');
  const extension = der(tag.sequence, der(0x80, keyId));
  const other = toExtension([0x55, 0x1d, 0x0f], der(tag.bits, [7, 0x80]), true);
  const extensions = der(0xa3, der(tag.sequence, other, toExtension([0x55, 0x1d, 0x23], extension)));
  const serial = der(tag.integer, [0x00, 0x87, 0x65, 0x43, 0x21]);
  const body = der(tag.sequence, der(0xa0, der(tag.integer, [2])), serial, der(tag.sequence), extensions);
  const certificate = der(tag.sequence, body, der(tag.sequence), der(tag.bits, [0]));
  expect(toCertificateId(certificate)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  const bare = der(tag.sequence, der(tag.sequence, serial, der(tag.sequence)));
  expect(toCertificateId(bare)).toBeUndefined();
});

it('reads what is issued as Node does', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = issueCertificate({
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    names: ['a.test', '2001:db8::1'],
    issuer: privateKey,
    from: Date.parse('2026-01-01'),
    until: Date.parse('2026-01-07'),
  });
  const certificate = new X509Certificate(pem);
  const [, serial = ''] = toCertificateId(certificate.raw)?.split('.') ?? [];
  expect(Buffer.from(serial, 'base64url').toString('hex').toUpperCase()).toBe(certificate.serialNumber);
  expect(certificate.checkIP('2001:db8::1')).toBe('2001:db8::1');
  expect(certificate.verify(publicKey)).toBe(true);
});

it.each([
  ['cut off', Buffer.from([0x30, 0x82, 0x01])],
  ['without an end', Buffer.from([0x30, 0x80, 0x00])],
  ['empty', Buffer.alloc(0)],
  ['something else', Buffer.from('hello')],
])('refuses a certificate that is %s', (_title, bytes) => {
  expect(() => toCertificateId(bytes)).toThrow(/certificate/);
});

it('appends the name of the certificate to the URL of the directory', () => {
  expect(toRenewalUrl('https://ca.test/ari/', 'a.b')).toBe('https://ca.test/ari/a.b');
  expect(toRenewalUrl('https://ca.test/ari', 'a.b')).toBe('https://ca.test/ari/a.b');
});

const suggestedWindow = { start: '2026-01-03T04:00:00Z', end: '2026-01-03T14:00:00Z' };

it('reads the window, and bounds when to ask again', () => {
  const [from, until] = [Date.parse(suggestedWindow.start), Date.parse(suggestedWindow.end)];
  const explanationURL = 'https://ca.test/why';
  expect(readRenewal(answer({ suggestedWindow, explanationURL }, 7_200_000))).toEqual({
    from,
    until,
    explanationUrl: explanationURL,
    askAgainAfterMs: 7_200_000,
  });
  expect(readRenewal(answer({ suggestedWindow }, 0)).askAgainAfterMs).toBe(60_000);
  expect(readRenewal(answer({ suggestedWindow }, 1e12)).askAgainAfterMs).toBe(86_400_000);
  expect(
    readRenewal(answer({ suggestedWindow, explanationURL: 'javascript:x' })).explanationUrl,
  ).toBeUndefined();
  expect([0, 0.5, 1].map((random) => chooseRenewal({ from, until }, random))).toEqual([
    ...[from, from + 5 * 3_600_000, until],
  ]);
});

it.each([
  [undefined],
  [{}],
  [{ suggestedWindow: { start: suggestedWindow.end, end: suggestedWindow.start } }],
  [{ suggestedWindow: { start: 'soon', end: 'later' } }],
])('refuses a window that is none: %j', (json) => {
  expect(() => readRenewal(answer(json))).toThrow(/suggested window|renewal information/);
});

it('reads Retry-After against the clock of the server', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const at = 'Sat, 03 Jan 2026 04:00:30 GMT';
  expect(readRetryAfter({ 'retry-after': '120' }, now)).toBe(120_000);
  expect(readRetryAfter({ 'retry-after': at, date: 'Sat, 03 Jan 2026 04:00:00 GMT' }, now)).toBe(30_000);
  expect(readRetryAfter({ 'retry-after': at }, now)).toBe(0);
  for (const value of ['soon', '-1', '1e9', undefined]) {
    expect(readRetryAfter({ 'retry-after': value }, now)).toBeUndefined();
  }
});

it('writes the server name of an address as for a reverse look-up', () => {
  expect(toServerName('Mail.Example.org')).toBe('mail.example.org');
  expect(toServerName('192.0.2.1')).toBe('1.2.0.192.in-addr.arpa');
  expect(toServerName('2001:db8::1')).toBe(
    '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  );
  expect(toServerName('::ffff:192.0.2.1')).toMatch(/^1\.0\.2\.0\.0\.0\.0\.c\.f\.f\.f\.f\.0\./);
});
