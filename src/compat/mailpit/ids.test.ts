import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { MailpitIds } from './ids.ts';

const ids = new MailpitIds({ salt: randomBytes(16) });

describe('MailpitIds', () => {
  it('gives every number an id in Mailpit’s form, and reads it back', () => {
    for (const number of [1, 2, 61, 62, 1000, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      const id = ids.toId(number);
      // The rule of `mailpit dump`, which skips all other ids.
      expect(id).toMatch(/^[a-zA-Z0-9-]{8,60}$/);
      expect(id).toHaveLength(22);
      expect(ids.toNumber(id)).toBe(number);
    }
    expect(new Set(Array.from({ length: 1000 }, (_, at) => ids.toId(at + 1))).size).toBe(1000);
  });

  it('takes no id of another session, and none that was made up', () => {
    const others = new MailpitIds({ salt: randomBytes(16) });
    expect(ids.toNumber(others.toId(1))).toBeUndefined();
    for (const text of ['', '1', 'latest', '0'.repeat(22), 'z'.repeat(22), ids.toId(0), `${ids.toId(1)}0`]) {
      expect(ids.toNumber(text)).toBeUndefined();
    }
  });
});
