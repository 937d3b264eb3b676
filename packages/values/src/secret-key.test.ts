import { expect, it } from 'vitest';

import { parseSecretKey } from './secret-key.ts';

const key = Buffer.from('fbefbe00'.repeat(8), 'hex');

it('reads a key in hex, base64 and base64url, blanks around it cut', () => {
  const texts = [
    ...[key.toString('hex'), key.toString('hex').toUpperCase(), `  ${key.toString('hex')}\r\n`],
    ...[key.toString('base64'), key.toString('base64url'), key.toString('base64').replace('=', '')],
  ];
  for (const text of texts) expect(parseSecretKey(text)).toEqual(key);
});

it('reads nothing else', () => {
  const hex = key.toString('hex');
  const texts = [
    ...['', ' ', 'secret', hex.slice(1), `${hex}0`, `0x${hex}`, hex.replace('0', 'g'), `${hex}\n${hex}`],
    ...[key.toString('base64').slice(1), `${key.toString('base64')}=`, key.subarray(1).toString('base64')],
  ];
  for (const text of texts) expect(parseSecretKey(text)).toBeUndefined();
});
