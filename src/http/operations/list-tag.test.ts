import { expect, it } from 'vitest';

import type { Session } from '../../domain/session.ts';
import { listTag } from './check-mail.ts';

const session = { key: new Uint8Array(16), version: 3, expiresAt: 1_700_000_000_000 } as unknown as Session;

it('differs by session, version, expiry and range', () => {
  const tags = [
    listTag(session, [undefined, undefined, undefined]),
    listTag({ ...session, key: new Uint8Array(16).fill(1) as Session['key'] }, [
      undefined,
      undefined,
      undefined,
    ]),
    listTag({ ...session, version: 4 }, [undefined, undefined, undefined]),
    listTag({ ...session, expiresAt: 1 }, [undefined, undefined, undefined]),
    listTag(session, [1, undefined, undefined]),
    listTag(session, [undefined, 1, undefined]),
  ];
  expect(new Set(tags).size).toBe(tags.length);
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
});
