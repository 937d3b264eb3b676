import { expect, it } from 'vitest';

import { deliverOne } from '../../../test/contract/store-fixture.ts';
import { openServices, toRawMessage } from '../../../test/support/service/service-fixture.ts';
import { sealRaw } from '../receiving/deliver-to-sessions.ts';
import { readWholeRaw } from './sealed-raw.ts';

it('refuses a stored message whose bytes are fewer or more than its size, or another session’s', async () => {
  const { store, lend, deps } = await openServices();
  const [session, other] = [await lend(), await lend()];
  const id = await deliverOne(store, session, [...sealRaw(session, toRawMessage(Buffer.from('12345')))]);
  const stored = (await store.mail.findMessage(session.key, id))!;
  expect(Buffer.from(await readWholeRaw(deps.mail, session, { ...stored, sizeBytes: 5 })).toString()).toBe(
    '12345',
  );
  await expect(readWholeRaw(deps.mail, session, { ...stored, sizeBytes: 6 })).rejects.toThrow('shorter');
  await expect(readWholeRaw(deps.mail, session, { ...stored, sizeBytes: 4 })).rejects.toThrow();
  const mixed = { ...session, reading: other.reading };
  await expect(readWholeRaw(deps.mail, mixed, { ...stored, sizeBytes: 5 })).rejects.toThrow();
});
