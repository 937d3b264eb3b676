import { describe, expect, it } from 'vitest';

import { replies } from './reply.ts';

describe('replies', () => {
  it('carry an enhanced code of their own class, but for 354 and those to the greeting (RFC 2034)', () => {
    for (const reply of Object.values(replies)) {
      if (reply === replies.startData) continue;
      expect(reply).toMatch(/^([245])\d\d \1\.\d{1,3}\.\d{1,3} [\x20-\x7e]+\r\n$/);
    }
  });

  it('are at most 512 octets long (RFC 5321 §4.5.3.1.5)', () => {
    for (const reply of Object.values(replies)) expect(reply.length).toBeLessThanOrEqual(512);
  });
});
