import { expect, it } from 'vitest';

import { createPushBrowser } from '../../../test/support/servers/push-browser.ts';
import { arePushKeys, encryptPush } from './push-message.ts';

// RFC 8291 §5 and Appendix A.
const rfc = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

it('gives the body of the example in RFC 8291', () => {
  const body = encryptPush(rfc, rfc.text, {
    privateKey: Buffer.from(rfc.privateKey, 'base64url'),
    salt: Buffer.from(rfc.salt, 'base64url'),
    paddedBytes: rfc.text.length + 1,
  });
  expect(body.toString('base64url')).toBe(rfc.body);
});

it('is read by the browser it is for, is another each time and as long as any other', () => {
  const browser = createPushBrowser();
  const keys = browser.subscription('');
  const [one, other] = [encryptPush(keys, '{"a":1}'), encryptPush(keys, '{"message":123456}')];
  expect(browser.decrypt(one)).toBe('{"a":1}');
  expect(browser.decrypt(other)).toBe('{"message":123456}');
  expect(one.length).toBe(other.length);
  expect(encryptPush(keys, '{"a":1}').equals(one)).toBe(false);
  expect(() => encryptPush(keys, 'x'.repeat(256))).toThrow(RangeError);
});

it('knows keys that are none', () => {
  expect(arePushKeys(rfc)).toBe(true);
  const point = Buffer.from(rfc.p256dh, 'base64url');
  const off = Buffer.from(point);
  off[64]! ^= 1;
  const bad = [off, point.subarray(1), Buffer.alloc(65), Buffer.alloc(65, 4), Buffer.alloc(0)];
  for (const key of bad) expect(arePushKeys({ ...rfc, p256dh: key.toString('base64url') })).toBe(false);
  for (const auth of ['', 'AAAA', 'no base64!', 'A'.repeat(400)]) {
    expect(arePushKeys({ ...rfc, auth })).toBe(false);
  }
});
