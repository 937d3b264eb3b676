import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { HandleSealer } from './handles.ts';

const secret = randomBytes(32);
const url = 'http://127.0.0.1:8080';
const token = `mf_${'Ab1_-'.repeat(9).slice(0, 43)}`;
const sealer = new HandleSealer({ secret, url, apiKey: 'key-of-one' });

describe('a handle', () => {
  it('opens for the same secret, service and API key, also after a restart', () => {
    const handle = sealer.seal(token);
    expect(handle).toMatch(/^mbox_[A-Za-z0-9_-]{99}$/);
    expect(new HandleSealer({ secret, url, apiKey: 'key-of-one' }).open(handle)).toBe(token);
  });

  it('tells nothing: two of one inbox have no more in common than chance gives', () => {
    const [one, other] = [sealer.seal(token), sealer.seal(token)];
    const same = [...one.slice(5)].filter((sign, at) => other[5 + at] === sign).length;
    expect(same).toBeLessThan(15);
    expect(Buffer.from(one.slice(5), 'base64url').toString('latin1')).not.toContain('mf_');
  });

  it.each([
    ['another API key', { secret, url, apiKey: 'key-of-two' }],
    ['no API key', { secret, url, apiKey: undefined }],
    ['another service', { secret, url: 'http://127.0.0.1:8081', apiKey: 'key-of-one' }],
    ['another secret', { secret: randomBytes(32), url, apiKey: 'key-of-one' }],
  ])('does not open for %s', (_, binding) => {
    expect(() => new HandleSealer(binding).open(sealer.seal(token))).toThrow(/^unknown_handle: /);
  });

  it('does not open when any of its characters is changed', () => {
    const handle = sealer.seal(token);
    for (let at = 0; at < handle.length; at++) {
      const changed = handle.slice(0, at) + (handle[at] === 'A' ? 'B' : 'A') + handle.slice(at + 1);
      expect(() => sealer.open(changed), `at ${at}`).toThrow(/^unknown_handle: /);
    }
  });

  it.each(['', 'mbox_', token, `mbox_${'A'.repeat(99)}`, `mbox_${'A'.repeat(5000)}`, '../../etc/passwd'])(
    'is not %j, and the error quotes nothing of it',
    (text) => {
      expect(() => sealer.open(text)).toThrow(
        'unknown_handle: This handle is not valid here. Use one that create_inbox of this server returned to the same caller.',
      );
    },
  );
});
